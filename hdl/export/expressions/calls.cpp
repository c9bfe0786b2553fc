// SPDX-License-Identifier: Apache-2.0
//
// Casts, struct constructors, and the built-in functions for values.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"
#include "export/modules/module_text.hpp"

namespace sme::hdl {

using expr::BoundExpr;

/// The functions whose Verilog depends only on the terms of their arguments.
const std::map<std::string, Translator::Simple, std::less<>> Translator::simple{
    {"cat", [](Translator& t, const Terms& x) { return t.concatenated(x); }},
    {"abs", [](Translator& t, const Terms& x) { return t.absolute(x.at(0)); }},
    {"rotl", [](Translator& t, const Terms& x) { return t.rotated(x.at(0), x.at(1), true); }},
    {"rotr", [](Translator& t, const Terms& x) { return t.rotated(x.at(0), x.at(1), false); }},
    {"popcount", [](Translator& t, const Terms& x) { return t.population(x.at(0)); }},
    {"reverse", [](Translator& t, const Terms& x) { return t.reversed(x.at(0)); }},
};

Term Translator::cast(const Term& from, const TypeRef& type) {
    if (from.known() && type->kind() == TypeKind::enumeration)
        return Term::of(type, module_.member(*type, static_cast<std::uint64_t>(from.low)));
    if (from.is_number())
        return fit(from, type);
    return type->is_integer() && from.type->is_scalar() ? resized(from, type)
                                                        : reinterpreted(from, type);
}

Term Translator::construct(const BoundExpr& bound) {
    const TypeRef& type = bound.type;
    Term old;
    if (bound.operands[0]) {
        old = fit(value(*bound.operands[0]), type);
        if (old.parts.empty())
            old = placed(old, "old");
    }
    std::vector<Term> parts;
    for (const Field& each : type->fields()) {
        const expr::BoundRef& given = bound.operands[parts.size() + 1];
        parts.push_back(given ? fit(value(*given), each.type)
                        : bound.operands[0]
                            ? field(old, each.name)
                            : Term::of(each.type, rtl::zero(each.type->width_bits())));
    }
    return Term::of_parts(type, std::move(parts));
}

Term Translator::concatenated(const std::vector<Term>& parts) {
    std::vector<ExprRef> all;
    for (const Term& part : parts)
        all.push_back(bits(part));
    const ExprRef made = rtl::joined(std::move(all));
    return Term::of(Type::unsigned_integer(static_cast<unsigned>(made->width)), made);
}

/// Returns the smaller or larger of two values of one type.
Term Translator::extreme(const Term& best, const Term& other, bool largest) {
    const Term a = best.is_literal() ? best : placed(best, "most");
    const Term b = other.level() != Level::primary ? placed(other, "other") : other;
    const Term less = typed_binary(expr::Operator::less, a, b);
    return largest ? select(less, b, a) : select(less, a, b);
}

Term Translator::reversed(const Term& x) {
    const std::uint64_t width = x.type->width_bits();
    return reinterpreted(Term::of(Type::unsigned_integer(static_cast<unsigned>(width)),
                                  rtl::call(module_.reverse(width), {bits(x)}, width, false)),
                         x.type);
}

Term Translator::absolute(const Term& term) {
    if (term.known())
        return Term::number_of(term.low < 0 ? -term.low : term.low);
    if (!term.is_typed() || !term.type->is_signed())
        return term;
    const Term x = placed(term, "number");
    const Term sign = Term::at(Type::boolean(), x.place->part(x.type->width_bits() - 1, 1));
    return select(sign, Term::of(x.type, rtl::unary("-", code(x))), x);
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
        return reinterpreted(Term::of(raw, rtl::joined({rtl::at(x.place->part(0, width - up)),
                                                        rtl::at(x.place->part(width - up, up))})),
                             term.type);
    }
    const unsigned need = static_cast<unsigned>(std::bit_width(width));
    const TypeRef small =
        Type::unsigned_integer(std::max(need, static_cast<unsigned>(by.type->width_bits())));
    Term turn = fit(by.is_number() ? by : resized(by, small), small);
    const ExprRef all = rtl::literal(static_cast<Integer>(width), small->width_bits());
    turn = Term::of(small, rtl::binary("%", Level::product, code(turn), all, true));
    const ExprRef up = code(placed(turn, "turn"));
    const ExprRef rest = rtl::grouped(rtl::binary("-", Level::sum, all, up));
    const ExprRef whole = code(shiftable(x));
    const auto shifted = [&](const char* op, const ExprRef& by) {
        return rtl::binary(op, Level::shift, whole, by, true);
    };
    return reinterpreted(
        Term::of(raw, rtl::binary("|", Level::bit_or, shifted("<<", left ? up : rest),
                                  shifted(">>", left ? rest : up))),
        term.type);
}

Term Translator::population(const Term& term) {
    if (!term.is_typed())
        return {};
    const std::uint64_t width = term.type->width_bits();
    const TypeRef type = type_between(0, static_cast<Integer>(width));
    const std::string function =
        module_.population(width, static_cast<unsigned>(type->width_bits()));
    return Term::between(
        Term::of(type, rtl::call(function, {bits(term)}, type->width_bits(), false)), 0,
        static_cast<Integer>(width));
}

// Numbers computed from parameters that stay parameters in Verilog.

using expr::Ast;
using expr::BoundExpr;
using expr::Operator;

namespace {

const char* word_of(Operator op) {
    switch (op) {
    case Operator::add: return "plus";
    case Operator::subtract: return "minus";
    case Operator::multiply: return "times";
    default: return nullptr;
    }
}

} // namespace

Translator::Formula Translator::formula(const BoundExpr& bound) {
    const Integer value = bound.low;
    Formula number{rtl::number(value),
                   (value < 0 ? "minus_" : "") + to_string(value < 0 ? -value : value), false};
    if (!bound.ast)
        return number;
    if (bound.kind == BoundExpr::Kind::leaf && bound.ast->kind == Ast::Kind::name) {
        const std::string& name = bound.ast->text;
        if (locals_.count(name) > 0 || !module_.keeps(name) || site_.find(name))
            return number;
        return {rtl::at(Place::integer(*module_.number(name, value))), name, true};
    }
    if (bound.kind != BoundExpr::Kind::binary || !word_of(bound.ast->op) ||
        bound.operands.size() != 2)
        return number;
    const auto& [a, b] = std::tie(*bound.operands[0], *bound.operands[1]);
    if (!a.is_constant() || !b.is_constant())
        return number;
    const Formula x = formula(a), y = formula(b);
    if (!x.kept && !y.kept)
        return number;
    const Operator op = bound.ast->op;
    std::string hint = fmt::format("{}_{}_{}", x.hint, word_of(op), y.hint);
    if (!x.kept) // a name cannot begin with a digit
        hint = op == Operator::subtract ? fmt::format("minus_{}_plus_{}", y.hint, x.hint)
                                        : fmt::format("{}_{}_{}", y.hint, word_of(op), x.hint);
    return {rtl::grouped(rtl::integer(expr::spelling(op), x.value, y.value)), std::move(hint),
            true};
}

Term Translator::computed(const BoundExpr& bound) {
    Term made = Term::number_of(bound.low);
    if (const Formula found = formula(bound); found.kept)
        made.name = module_.derived(found.hint, found.value, bound.low);
    return made;
}

// Matches, and their patterns.

using expr::BoundExpr;

/// Writes a block with a case, from which tools build one selection; they keep a chain of
/// selections as a chain.
Term Translator::cases(const Term& subject, std::vector<rtl::Statement::Arm> arms,
                       const Terms& chosen, const BoundExpr& bound, const std::string& hint) {
    const TypeRef type = bound.is_exact() ? type_between(bound.low, bound.high) : bound.type;
    const Term made = identifier(site_.names().take(hint), type);
    rtl::Statement all;
    all.kind = rtl::Statement::Kind::cases;
    all.value = code(subject);
    arms.back().is_last = true; // a value that is no member takes the last arm
    for (std::size_t k = 0; k < arms.size(); ++k) {
        arms[k].body = {rtl::Statement::assign(*made.place, code(fit(chosen[k], type)), false)};
        all.arms.push_back(std::move(arms[k]));
    }
    site_.add({declared(made.place->name, *type), true, 0, {}}, {std::move(all)});
    return bound.is_exact() ? Term::between(made, bound.low, bound.high) : made;
}

Term Translator::match(const BoundExpr& bound, const std::string& hint) {
    Term subject = value(*bound.operands[0]);
    if (subject.is_typed() && subject.level() != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<Term, Term>> options;
    std::vector<rtl::Statement::Arm> labelled;
    Terms values;
    bool is_case = !site_.loops().is_open() && subject.place && !subject.place->is_integer &&
                   !subject.place->word;
    Term last;
    for (std::size_t k = 0; k < bound.arms.size(); ++k) {
        const expr::BoundPatterns& patterns = bound.arms[k];
        if (!bound.operands[k + 1])
            continue;
        const Term chosen = value(*bound.operands[k + 1]);
        ExprRef test;
        rtl::Statement::Arm arm;
        for (const expr::BoundPattern& each : patterns)
            if (const Label found = pattern(each, subject); found.test) {
                test = test ? rtl::binary("||", Level::logical_or, test, found.test) : found.test;
                arm.labels.push_back(found.item);
                is_case = is_case && !found.open;
            }
        if (test || patterns.empty()) {
            labelled.push_back(std::move(arm));
            values.push_back(chosen);
        }
        if (patterns.empty())
            last = chosen;
        else if (test)
            options.emplace_back(Term::of(Type::boolean(), test), chosen);
    }
    constexpr std::size_t most = 3; // a chain of this many arms is as readable as a case
    const bool is_typed = bound.is_exact() || bound.form == expr::Value::Kind::typed;
    if (is_case && is_typed && labelled.size() > most)
        return cases(subject, std::move(labelled), values, bound, hint);
    if (last.kind == Term::Kind::none && !options.empty()) { // a value that is no member takes the
                                                             // last arm
        last = options.back().second;
        options.pop_back();
    }
    return chain(options, last, bound);
}

Translator::Label Translator::pattern(const expr::BoundPattern& bound, const Term& subject) {
    const expr::Pattern& pattern = *bound.text;
    if (!subject.type)
        return {};
    const auto width = static_cast<unsigned>(subject.type->width_bits());
    const auto equals = [&](const ExprRef& value) {
        return rtl::binary("==", Level::equality, code(subject), value);
    };
    if (!pattern.value) {
        std::string digits;
        for (unsigned bit = width; bit-- > 0;) {
            const bool open = bit < pattern.digits && (pattern.mask >> bit & 1) == 0;
            const bool set = bit < pattern.digits && (pattern.bits >> bit & 1) != 0;
            digits += open ? '?' : set ? '1' : '0';
        }
        std::string mask = digits, value = digits;
        for (std::size_t k = 0; k < digits.size(); ++k) {
            mask[k] = digits[k] == '?' ? '0' : '1';
            value[k] = digits[k] == '1' ? '1' : '0';
        }
        const ExprRef bits =
            subject.type->is_signed() ? rtl::as_unsigned(code(subject)) : code(subject);
        return {rtl::literal_of_digits(digits),
                rtl::binary("==", Level::equality,
                            rtl::binary("&", Level::bit_and, bits, rtl::literal_of_digits(mask)),
                            rtl::literal_of_digits(value)),
                digits.find('?') != std::string::npos};
    }
    if (!bound.value && subject.type->kind() == TypeKind::enumeration)
        for (const Member& member : subject.type->members())
            if (member.name == pattern.value->text) {
                const ExprRef name = module_.member(*subject.type, member.value);
                return {name, equals(name), false};
            }
    Term value = this->value(*bound.value);
    if (value.known() && subject.kind == Term::Kind::exact &&
        (value.low < subject.low || value.low > subject.high))
        return {}; // another call may reach this
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {code(value), code(value.literal == Integer{1} ? subject : negated(subject)), false};
    return {code(value), equals(code(value)), false};
}

} // namespace sme::hdl
