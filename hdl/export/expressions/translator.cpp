// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/translator.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::hdl {

using expr::Ast;

Term Translator::evaluate(const Ast& ast, const TypeRef& wanted) {
    switch (ast.kind) {
    case Ast::Kind::number: return number(ast);
    case Ast::Kind::boolean: return Term::of(Type::boolean(), ast.value != 0 ? "1'b1" : "1'b0");
    case Ast::Kind::name: return name(ast);
    case Ast::Kind::index: return indexed(ast);
    case Ast::Kind::slice: {
        const auto high = known_number(*ast.operands[1]), low = known_number(*ast.operands[2]);
        const Term base = value(*ast.operands[0]);
        return high && low && *low >= 0 && *high >= *low
                   ? slice(base, static_cast<std::uint64_t>(*high),
                           static_cast<std::uint64_t>(*low))
                   : Term{};
    }
    case Ast::Kind::field: return field_of(ast);
    case Ast::Kind::call: return call(ast);
    case Ast::Kind::unary: return unary(ast);
    case Ast::Kind::binary: return binary(ast);
    case Ast::Kind::conditional: return conditional(ast, wanted);
    case Ast::Kind::fields: return fields(ast, wanted);
    case Ast::Kind::range:
        if (const auto bound = locals_.find(ast.text); bound != locals_.end())
            return bound->second;
        break;
    default: break;
    }
    return {};
}

Term Translator::number(const Ast& ast) {
    Term made = Term::number_of(ast.value);
    if (ast.words) {
        made.kind = Term::Kind::number;
        made.words = ast.words;
    }
    if (ast.where.source)
        made.hexadecimal = ast.where.source->text().substr(ast.where.begin, 2).starts_with("0x");
    return made;
}

Term Translator::name(const Ast& ast) {
    if (const auto local = locals_.find(ast.text); local != locals_.end())
        return local->second;
    if (const std::optional<Term> own = site_.find(ast.text))
        return *own;
    const expr::Value* found = site_.home().find(ast.text);
    return found ? constant(ast.text, *found) : Term{};
}

Term Translator::constant(const std::string& name, const expr::Value& value) {
    if (value.is_constant()) {
        Term made = Term::number_of(value.low);
        made.name = name;
        return made;
    }
    if (value.kind == expr::Value::Kind::long_number) {
        Term made;
        made.kind = Term::Kind::number;
        made.words = value.words;
        return made;
    }
    if (value.kind != expr::Value::Kind::constants)
        return {};
    const TypeRef& type = value.constants->type;
    if (type->kind() == TypeKind::enumeration && type->find_member(value.constants->leaves[0]) &&
        type->find_member(value.constants->leaves[0])->name == name)
        return Term::of(type, module_.member(*type, value.constants->leaves[0]));
    Term made;
    made.kind = Term::Kind::constants;
    made.constants = value.constants;
    made.type = type;
    made.name = name;
    return type->kind() == TypeKind::array ? made : loaded(made);
}

Term Translator::loaded(const Term& term) {
    if (term.kind == Term::Kind::constants) {
        const Words bits = packed(*term.type, term.constants->leaves.data());
        std::string value = literal(bits, term.type->width_bits());
        if (term.type->is_signed())
            value =
                literal(static_cast<Integer>(static_cast<std::int64_t>(term.constants->leaves[0])),
                        static_cast<unsigned>(term.type->width_bits()), true);
        if (term.name.empty()) {
            Term made =
                Term::of(term.type, value, value.starts_with('-') ? Level::unary : Level::primary);
            if (term.type->is_integer() && !term.type->is_wide())
                made.literal =
                    term.type->is_signed()
                        ? static_cast<Integer>(static_cast<std::int64_t>(term.constants->leaves[0]))
                        : static_cast<Integer>(term.constants->leaves[0]);
            return made;
        }
        return identifier(module_.constant(term.name, *term.type, value), term.type);
    }
    if (term.kind == Term::Kind::memory) {
        const std::vector<std::uint64_t>& dimensions = term.memory->dimensions;
        const std::size_t given = term.row.size();
        std::uint64_t words = 1;
        TypeRef type = term.memory->type;
        for (std::size_t d = dimensions.size(); d-- > given;) {
            words *= dimensions[d];
            type = Type::array(type, dimensions[d]);
        }
        std::string all;
        std::vector<Term> at = term.row;
        at.resize(dimensions.size());
        for (std::uint64_t word = words; word-- > 0;) {
            std::uint64_t rest = word;
            for (std::size_t d = dimensions.size(); d-- > given; rest /= dimensions[d])
                at[d] = Term::number_of(static_cast<Integer>(rest % dimensions[d]));
            const Term found = memory_element(term, at);
            if (!found.place)
                return {}; // never chosen
            all += found.place->text() + (word == 0 ? "" : ", ");
        }
        return Term::of(type, "{" + all + "}");
    }
    return term;
}

/// What the language calls an index of a family or a count: a text that can be any of several.
Term Translator::fit(const Term& term, const TypeRef& type) {
    if (term.kind == Term::Kind::number)
        return Term::of(type, literal(*term.words, type->width_bits()));
    if (term.known())
        return type->is_scalar() ? literal_of(term, type) : Term{};
    if (term.kind == Term::Kind::exact)
        return resized(term, type);
    Term made = term.kind == Term::Kind::none
                    ? Term::of(type, literal(Words{0}, type->width_bits()))
                    : loaded(term);
    if (made.is_typed() && made.type->width_bits() != type->width_bits())
        return Term::of(type, literal(Words{0}, type->width_bits())); // never chosen
    made.type = type;
    return made;
}

Term Translator::literal_of(const Term& number, const TypeRef& type) {
    if (type->is_wide() || type->width_bits() > 64) {
        const auto value = static_cast<std::uint64_t>(number.low);
        Term made =
            Term::of(type, literal(Words{value, static_cast<std::uint64_t>(number.low >> 64)},
                                   type->width_bits()));
        if (number.low >= 0)
            made.literal = number.low;
        return made;
    }
    const auto width = static_cast<unsigned>(type->width_bits());
    if (!number.name.empty() && width <= 32 && number.low >= 0 && number.low < (Integer{1} << 31)) {
        const std::string name = module_.number(number.name, number.low);
        Term made = Term::at(type, {name, 32, 0, width, {}, true});
        return made;
    }
    const std::string text = literal(number.low, width, type->is_signed(), number.hexadecimal);
    Term made = Term::of(type, text, text.starts_with('-') ? Level::unary : Level::primary);
    if (type->is_integer()) {
        const Integer modulus = Integer{1} << width;
        const Integer value = ((number.low % modulus) + modulus) % modulus;
        made.literal = type->is_signed() && value > largest(width, true) ? value - modulus : value;
    }
    return made;
}

std::string Translator::bits(const Term& term) {
    if (term.place)
        return term.place->text();
    if (term.parts.empty())
        return term.text;
    std::string all;
    for (const Term& part : term.parts)
        all += (all.empty() ? "" : ", ") + bits(part);
    return "{" + all + "}";
}

std::string Translator::text(const Term& term, Level around) {
    if (term.place) {
        const bool is_signed = term.place->is_signed && term.place->whole();
        const bool wanted = term.type->is_signed();
        return is_signed == wanted
                   ? term.place->text()
                   : fmt::format("${}({})", wanted ? "signed" : "unsigned", term.place->text());
    }
    if (!term.parts.empty())
        return bits(term);
    return term.level <= around && around != Level::conditional ? "(" + term.text + ")" : term.text;
}

Term Translator::placed(const Term& term, const std::string& hint) {
    if (term.place || !term.type)
        return term;
    return identifier(site_.keep(hint, *term.type, text(term)), term.type);
}

namespace {

/// What stands in "$signed({...})", when that is all; else nothing.
std::string inside_signed(const std::string& text) {
    constexpr std::string_view begin = "$signed(";
    if (!text.starts_with(begin) || text.size() < 11 || text[begin.size()] != '{')
        return {};
    int depth = 0;
    for (std::size_t k = begin.size(); k < text.size(); ++k) {
        depth += text[k] == '{' ? 1 : text[k] == '}' ? -1 : 0;
        if (depth == 0)
            return k + 2 == text.size() ? text.substr(begin.size(), k + 1 - begin.size())
                                        : std::string{};
    }
    return {};
}

} // namespace

Term Translator::reinterpreted(const Term& term, const TypeRef& type) {
    Term made = term;
    made.type = type;
    if (term.place)
        return made;
    if (!term.parts.empty()) {
        if (type->kind() == TypeKind::structure && type->fields().size() == term.parts.size())
            return made;
        made = Term::of(type, bits(term));
    }
    if (term.parts.empty() && term.type->is_signed() == type->is_signed())
        return made;
    if (const std::string inner = inside_signed(made.text); !inner.empty() && !type->is_signed())
        return Term::of(type, inner);
    if (type->is_signed() || term.type->is_signed())
        return Term::of(
            type, fmt::format("${}({})", type->is_signed() ? "signed" : "unsigned", made.text));
    return made;
}

/// An integer of another width, modulo 2^n: the sign or zeroes fill up.
Term Translator::resized(const Term& term, const TypeRef& type) {
    const std::uint64_t from = term.type->width_bits(), to = type->width_bits();
    if (term.literal && !term.place && to <= 64)
        return literal_of(Term::number_of(*term.literal), type);
    Term source = term;
    source.kind = Term::Kind::typed;
    if (from == to)
        return reinterpreted(source, type);
    if (to < from) {
        source = placed(source);
        Term made = Term::at(type, source.place->part(0, to));
        return made;
    }
    const auto spare = to - from;
    std::string fill = literal(Words{0}, spare);
    if (term.type->is_signed()) {
        source = placed(source, "narrow");
        fill = fmt::format("{{{}{{{}}}}}", spare, source.place->part(from - 1, 1).text());
    }
    const std::string made = fmt::format("{{{}, {}}}", fill, bits(source));
    return Term::of(type, type->is_signed() ? "$signed(" + made + ")" : made);
}

Term Translator::negated(const Term& condition) {
    return Term::of(Type::boolean(), "!" + text(condition, Level::unary), Level::unary);
}

Term Translator::select(const Term& condition, const Term& yes, const Term& no, bool new_line) {
    if (condition.text == "1'b1" || condition.text == "1'b0")
        return condition.text == "1'b1" ? yes : no;
    Term a = loaded(yes), b = loaded(no);
    if (a.kind == Term::Kind::none || b.kind == Term::Kind::none)
        return a.kind == Term::Kind::none ? b : a;
    const auto make = [&](const TypeRef& type) {
        const Term x = fit(a, type), y = fit(b, type);
        return Term::of(
            type,
            fmt::format(
                "{} ?{}{} :{}{}",
                text(condition, condition.level == Level::conditional ? Level::logical_or
                                                                      : Level::conditional),
                new_line ? "\n    " : " ",
                text(x, x.level == Level::conditional ? Level::logical_or : Level::conditional),
                new_line ? "\n" : " ", text(y)),
            Level::conditional);
    };
    if (!a.is_number() || !b.is_number())
        return make(a.is_number() ? b.type : a.type);
    const Integer low = std::min(a.low, b.low), high = std::max(a.high, b.high);
    if (low == high)
        return a;
    return Term::between(make(type_between(low, high)), low, high);
}

Term Translator::conditional(const Ast& ast, const TypeRef& wanted) {
    const bool has_map =
        std::any_of(ast.operands.begin(), ast.operands.end(),
                    [](const expr::AstRef& kid) { return kid->kind == Ast::Kind::fields; });
    const TypeRef type = has_map && !wanted ? value_type(ast) : wanted;
    std::vector<std::pair<Term, Term>> options;
    Term last;
    for (std::size_t k = 0; k < ast.operands.size(); k += 2) {
        const bool is_last = k + 1 == ast.operands.size();
        const std::optional<bool> known =
            is_last ? std::optional{true} : known_condition(*ast.operands[k]);
        if (known == false)
            continue;
        const Term chosen = value(*ast.operands[is_last ? k : k + 1], type);
        if (known) {
            last = chosen;
            break;
        }
        options.emplace_back(value(*ast.operands[k]), chosen);
    }
    return chain(options, last);
}

/// Conditions and values, the first that holds; numbers take the type of the others.
Term Translator::chain(const std::vector<std::pair<Term, Term>>& options, const Term& last) {
    const bool new_lines = options.size() > 2;
    TypeRef type;
    for (const auto& [condition, each] : options)
        if (each.is_typed())
            type = each.type;
    if (last.is_typed())
        type = last.type;
    Term result = type ? fit(last, type) : last;
    for (std::size_t k = options.size(); k-- > 0;) {
        const Term& each = options[k].second;
        result = select(options[k].first, type ? fit(each, type) : each, result, new_lines);
    }
    return result;
}

} // namespace sme::hdl
