// SPDX-License-Identifier: Apache-2.0
//
// Casts, structs that are made, and the functions that the language has built in.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Ast;

Term Translator::call(const Ast& ast) {
    const Ast& callee = *ast.operands[0];
    const bool named = callee.kind == Ast::Kind::name;
    if (named && expr::find_builtin(callee.text))
        return builtin(ast, callee.text);
    if (const expr::Function* own = named ? site_.home().find_function(callee.text) : nullptr)
        return own_call(*own, ast);
    const TypeRef made = type(callee);
    if (!made || ast.operands.size() < 2)
        return {};
    return ast.operands.back()->kind == Ast::Kind::named ? construct(ast, made) : cast(ast, made);
}

/// The functions whose Verilog depends only on the terms of their arguments.
const std::map<std::string, Translator::Simple, std::less<>> Translator::simple{
    {"cat", [](Translator& t, const Terms& x) { return t.concatenated(x); }},
    {"min", [](Translator& t, const Terms& x) { return t.extreme(x, false); }},
    {"max", [](Translator& t, const Terms& x) { return t.extreme(x, true); }},
    {"abs", [](Translator& t, const Terms& x) { return t.absolute(x.at(0)); }},
    {"rotl", [](Translator& t, const Terms& x) { return t.rotated(x.at(0), x.at(1), true); }},
    {"rotr", [](Translator& t, const Terms& x) { return t.rotated(x.at(0), x.at(1), false); }},
    {"popcount", [](Translator& t, const Terms& x) { return t.population(x.at(0)); }},
    {"reverse", [](Translator& t, const Terms& x) { return t.reversed(x.at(0)); }},
};

Term Translator::builtin(const Ast& ast, const std::string& name) {
    if (ast.operands.size() > 2 && is_range(*ast.operands[1]))
        return name == "fold" ? folded(ast) : reduced(ast, name);
    if (name == "clog2" || name == "width" || name == "len") {
        const auto known = known_number(ast);
        return known ? Term::number_of(*known) : Term{};
    }
    if (name == "random") {
        module_.diagnostics().add(Code::bad_call, ast.where,
                                  "random(...) has no hardware, so this cannot be written as "
                                  "Verilog; feed random numbers as an input");
        return {};
    }
    Terms arguments;
    for (std::size_t k = 1; k < ast.operands.size(); ++k) {
        arguments.push_back(value(*ast.operands[k]));
        if (arguments.back().kind == Term::Kind::none)
            return {};
    }
    const auto row = simple.find(name);
    return row == simple.end() ? Term{} : row->second(*this, arguments);
}

Term Translator::cast(const Ast& ast, const TypeRef& type) {
    const Term from =
        value(*ast.operands[1], type->kind() == TypeKind::structure ? type : TypeRef{});
    if (from.kind == Term::Kind::none)
        return {};
    if (from.known() && type->kind() == TypeKind::enumeration)
        return Term::of(type, module_.member(*type, static_cast<std::uint64_t>(from.low)));
    if (from.kind == Term::Kind::number)
        return Term::of(type, literal(*from.words, type->width_bits()));
    if (from.is_number() && type->kind() == TypeKind::enumeration)
        return reinterpreted(
            fit(from, Type::unsigned_integer(static_cast<unsigned>(type->width_bits()))), type);
    if (from.is_number())
        return fit(from, type);
    if (type->is_integer() && from.type->is_scalar())
        return resized(from, type);
    return reinterpreted(from, type);
}

/// `changed` is null where the other fields are zero.
Term Translator::constructed(const Ast* changed, std::span<const expr::AstRef> named,
                             const TypeRef& type) {
    if (type->kind() != TypeKind::structure)
        return {};
    Term old;
    if (changed) {
        old = value_as(*changed, type);
        if (old.parts.empty())
            old = placed(old, "old");
    }
    std::vector<Term> parts;
    for (const Field& field : type->fields())
        parts.push_back(changed
                            ? this->field(old, field.name)
                            : Term::of(field.type, literal(Words{0}, field.type->width_bits())));
    for (const expr::AstRef& each : named) {
        const int field = type->find_field(each->text);
        if (field < 0)
            return {};
        const auto at = static_cast<std::size_t>(field);
        parts[at] = value_as(*each->operands[0], type->fields()[at].type);
    }
    return Term::of_parts(type, std::move(parts));
}

Term Translator::construct(const Ast& ast, const TypeRef& type) {
    const bool changes = ast.operands[1]->kind != Ast::Kind::named;
    return constructed(changes ? ast.operands[1].get() : nullptr,
                       std::span{ast.operands}.subspan(changes ? 2 : 1), type);
}

Term Translator::fields(const Ast& ast, const TypeRef& wanted) {
    if (wanted)
        return constructed(nullptr, ast.operands, wanted);
    std::vector<Field> fields;
    std::vector<Term> parts;
    for (const expr::AstRef& kid : ast.operands) {
        parts.push_back(value(*kid->operands[0]));
        if (!parts.back().is_typed())
            return {};
        fields.push_back({kid->text, parts.back().type, 0});
    }
    return Term::of_parts(Type::structure("", std::move(fields)), std::move(parts));
}

Term Translator::concatenated(const std::vector<Term>& parts) {
    std::string all;
    std::uint64_t width = 0;
    for (const Term& part : parts) {
        if (!part.is_typed())
            return {};
        all += (all.empty() ? "" : ", ") + bits(part);
        width += part.type->width_bits();
    }
    return Term::of(Type::unsigned_integer(static_cast<unsigned>(width)), "{" + all + "}");
}

Term Translator::extreme(Term best, const Term& other, bool largest) {
    Term b = other;
    unify(best, b);
    if (best.is_typed())
        best = placed(best, "most");
    if (b.is_typed() && b.level != Level::primary)
        b = placed(b, "other");
    const Term less = any_binary(expr::Operator::less, best, b);
    return largest ? select(less, b, best) : select(less, best, b);
}

Term Translator::extreme(const Terms& terms, bool largest) {
    Term best = terms.at(0);
    for (std::size_t k = 1; k < terms.size(); ++k)
        best = extreme(best, terms[k], largest);
    return best;
}

Term Translator::reversed(const Term& x) {
    const std::uint64_t width = x.type->width_bits();
    return reinterpreted(Term::of(Type::unsigned_integer(static_cast<unsigned>(width)),
                                  fmt::format("{}({})", module_.reverse(width), bits(x))),
                         x.type);
}

Term Translator::absolute(const Term& term) {
    if (term.known())
        return Term::number_of(term.low < 0 ? -term.low : term.low);
    if (!term.is_typed() || !term.type->is_signed())
        return term;
    const Term x = placed(term, "number");
    const Term sign = Term::at(Type::boolean(), x.place->part(x.type->width_bits() - 1, 1));
    return select(sign, Term::of(x.type, "-" + text(x, Level::unary), Level::unary), x);
}

Term Translator::rotated(const Term& term, const Term& by, bool left) {
    if (!term.is_typed())
        return {};
    const std::uint64_t width = term.type->width_bits();
    const TypeRef raw = Type::unsigned_integer(static_cast<unsigned>(width));
    const Term x = placed(reinterpreted(term, raw), "turned");
    if (by.known()) {
        const auto count = static_cast<std::uint64_t>(by.low % static_cast<Integer>(width));
        const std::uint64_t up = left ? count : (width - count) % width;
        if (up == 0)
            return reinterpreted(x, term.type);
        return reinterpreted(
            Term::of(raw, fmt::format("{{{}, {}}}", x.place->part(0, width - up).text(),
                                      x.place->part(width - up, up).text())),
            term.type);
    }
    const unsigned need = static_cast<unsigned>(std::bit_width(width));
    const TypeRef small =
        Type::unsigned_integer(std::max(need, static_cast<unsigned>(by.type->width_bits())));
    Term turn = fit(by.is_number() ? by : resized(by, small), small);
    turn = Term::of(small,
                    fmt::format("{} % {}", text(turn, Level::product),
                                literal(static_cast<Integer>(width),
                                        static_cast<unsigned>(small->width_bits()), false)),
                    Level::product);
    turn = placed(turn, "turn");
    const std::string rest = fmt::format(
        "({} - {})",
        literal(static_cast<Integer>(width), static_cast<unsigned>(small->width_bits()), false),
        text(turn));
    return reinterpreted(Term::of(raw,
                                  fmt::format("({0} << {1}) | ({0} >> {2})", text(x),
                                              left ? text(turn) : rest, left ? rest : text(turn)),
                                  Level::bit_or),
                         term.type);
}

Term Translator::population(const Term& term) {
    if (!term.is_typed())
        return {};
    const std::uint64_t width = term.type->width_bits();
    const TypeRef type = type_between(0, static_cast<Integer>(width));
    const std::string function =
        module_.population(width, static_cast<unsigned>(type->width_bits()));
    return Term::between(Term::of(type, fmt::format("{}({})", function, bits(term))), 0,
                         static_cast<Integer>(width));
}

} // namespace sme::hdl
