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
    {"cat", [](Translator& t, const HdlValues& x) { return t.concatenated(x); }},
    {"abs", [](Translator& t, const HdlValues& x) { return t.absolute(x.at(0)); }},
    {"rotl", [](Translator& t, const HdlValues& x) { return t.rotated(x.at(0), x.at(1), true); }},
    {"rotr", [](Translator& t, const HdlValues& x) { return t.rotated(x.at(0), x.at(1), false); }},
    {"popcount", [](Translator& t, const HdlValues& x) { return t.population(x.at(0)); }},
    {"reverse", [](Translator& t, const HdlValues& x) { return t.reversed(x.at(0)); }},
};

HdlValue Translator::cast(const HdlValue& from, const TypeRef& type) {
    if (from.known() && type->kind() == TypeKind::enumeration)
        return HdlValue::of(type, module_.member(*type, static_cast<std::uint64_t>(from.low)));
    if (from.is_number())
        return fit(from, type);
    return type->is_numeric() && from.type->is_scalar() ? resized(from, type)
                                                        : reinterpreted(from, type);
}

HdlValue Translator::construct(const BoundExpr& bound) {
    const TypeRef& type = bound.type;
    HdlValue old;
    if (bound.operands[0]) {
        old = fit(value(*bound.operands[0]), type);
        if (old.parts.empty())
            old = placed(old, "old");
    }
    std::vector<HdlValue> parts;
    for (const Field& each : type->fields()) {
        const expr::BoundRef& given = bound.operands[parts.size() + 1];
        parts.push_back(given ? fit(value(*given), each.type)
                        : bound.operands[0]
                            ? field(old, each.name)
                            : HdlValue::of(each.type, rtl::zero(each.type->width_bits())));
    }
    return HdlValue::of_parts(type, std::move(parts));
}

HdlValue Translator::concatenated(const std::vector<HdlValue>& parts) {
    std::vector<ExprRef> all;
    for (const HdlValue& part : parts)
        all.push_back(bits(part));
    const ExprRef result = rtl::joined(std::move(all));
    return HdlValue::of(Type::unsigned_integer(static_cast<unsigned>(result->width)), result);
}

/// Returns the smaller or larger of two values of one type.
HdlValue Translator::extreme(const HdlValue& best, const HdlValue& other, bool largest) {
    const HdlValue a = best.is_literal() ? best : placed(best, "most");
    const HdlValue b = other.level() != Level::primary ? placed(other, "other") : other;
    const HdlValue less = typed_binary(expr::Operator::less, a, b);
    return largest ? select(less, b, a) : select(less, a, b);
}

HdlValue Translator::reversed(const HdlValue& x) {
    const std::uint64_t width = x.type->width_bits();
    return reinterpreted(HdlValue::of(Type::unsigned_integer(static_cast<unsigned>(width)),
                                      rtl::call(module_.reverse(width), {bits(x)}, width, false)),
                         x.type);
}

HdlValue Translator::absolute(const HdlValue& term) {
    if (term.known())
        return HdlValue::number_of(term.low < 0 ? -term.low : term.low);
    if (!term.is_typed() || !term.type->is_signed())
        return term;
    const HdlValue x = placed(term, "number");
    const HdlValue sign = HdlValue::at(Type::boolean(), x.place->part(x.type->width_bits() - 1, 1));
    return select(sign, HdlValue::of(x.type, rtl::unary("-", code(x))), x);
}

HdlValue Translator::rotated(const HdlValue& term, const HdlValue& by, bool left) {
    if (!term.is_typed())
        return {};
    const std::uint64_t width = term.type->width_bits();
    const TypeRef raw = Type::unsigned_integer(static_cast<unsigned>(width));
    const HdlValue x = placed(reinterpreted(term, raw), "turned");
    if (by.known()) {
        const auto count = static_cast<std::uint64_t>(by.low % static_cast<Integer>(width));
        const std::uint64_t up = left ? count : (width - count) % width;
        if (up == 0)
            return reinterpreted(x, term.type);
        return reinterpreted(
            HdlValue::of(raw, rtl::joined({rtl::at(x.place->part(0, width - up)),
                                           rtl::at(x.place->part(width - up, up))})),
            term.type);
    }
    const unsigned need = static_cast<unsigned>(std::bit_width(width));
    const TypeRef small =
        Type::unsigned_integer(std::max(need, static_cast<unsigned>(by.type->width_bits())));
    HdlValue turn = fit(by.is_number() ? by : resized(by, small), small);
    const ExprRef all = rtl::literal(static_cast<Integer>(width), small->width_bits());
    turn = HdlValue::of(small, rtl::binary("%", Level::product, code(turn), all, true));
    const ExprRef up = code(placed(turn, "turn"));
    const ExprRef rest = rtl::grouped(rtl::binary("-", Level::sum, all, up));
    const ExprRef whole = code(shiftable(x));
    const auto shifted = [&](const char* op, const ExprRef& by) {
        return rtl::binary(op, Level::shift, whole, by, true);
    };
    return reinterpreted(
        HdlValue::of(raw, rtl::binary("|", Level::bit_or, shifted("<<", left ? up : rest),
                                      shifted(">>", left ? rest : up))),
        term.type);
}

HdlValue Translator::population(const HdlValue& term) {
    if (!term.is_typed())
        return {};
    const std::uint64_t width = term.type->width_bits();
    const TypeRef type = type_between(0, static_cast<Integer>(width));
    const std::string function =
        module_.population(width, static_cast<unsigned>(type->width_bits()));
    return HdlValue::between(
        HdlValue::of(type, rtl::call(function, {bits(term)}, type->width_bits(), false)), 0,
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
        if (locals_.count(name) > 0 || !module_.keeps(name) || context_.find(name))
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

HdlValue Translator::computed(const BoundExpr& bound) {
    HdlValue result = HdlValue::number_of(bound.low);
    if (const Formula found = formula(bound); found.kept)
        result.name = module_.derived(found.hint, found.value, bound.low);
    return result;
}

// Matches, and their patterns.

using expr::BoundExpr;

/// Writes a block with a case, from which tools build one selection; they keep a chain of
/// selections as a chain.
HdlValue Translator::cases(const HdlValue& subject, std::vector<rtl::Statement::Arm> arms,
                           const HdlValues& chosen, const BoundExpr& bound,
                           const std::string& hint) {
    const TypeRef type = bound.is_exact() ? type_between(bound.low, bound.high) : bound.type;
    const HdlValue result = identifier(context_.names().take(hint), type);
    rtl::Statement all;
    all.kind = rtl::Statement::Kind::cases;
    all.value = code(subject);
    arms.back().is_last = true; // a value that is no member takes the last arm
    for (std::size_t k = 0; k < arms.size(); ++k) {
        arms[k].body = {rtl::Statement::assign(*result.place, code(fit(chosen[k], type)), false)};
        all.arms.push_back(std::move(arms[k]));
    }
    context_.add({declared(result.place->name, *type), true, 0, {}}, {std::move(all)});
    return bound.is_exact() ? HdlValue::between(result, bound.low, bound.high) : result;
}

HdlValue Translator::match(const BoundExpr& bound, const std::string& hint) {
    HdlValue subject = value(*bound.operands[0]);
    if (subject.is_typed() && subject.level() != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<HdlValue, HdlValue>> options;
    std::vector<rtl::Statement::Arm> labelled;
    HdlValues values;
    bool is_case = !context_.loops().is_open() && subject.place && !subject.place->is_integer &&
                   !subject.place->word;
    HdlValue last;
    for (std::size_t k = 0; k < bound.details->match->arms.size(); ++k) {
        const expr::BoundPatterns& patterns = bound.details->match->arms[k];
        if (!bound.operands[k + 1])
            continue;
        const HdlValue chosen = value(*bound.operands[k + 1]);
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
            options.emplace_back(HdlValue::of(Type::boolean(), test), chosen);
    }
    constexpr std::size_t most = 3; // a chain of this many arms is as readable as a case
    const bool is_typed = bound.is_exact() || bound.form == expr::Form::typed;
    if (is_case && is_typed && labelled.size() > most)
        return cases(subject, std::move(labelled), values, bound, hint);
    // a value that is no member takes the last arm
    if (last.kind == HdlValue::Kind::none && !options.empty()) {
        last = options.back().second;
        options.pop_back();
    }
    return chain(options, last, bound);
}

Translator::Label Translator::pattern(const expr::BoundPattern& bound, const HdlValue& subject) {
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
    HdlValue value = this->value(*bound.value);
    if (value.known() && subject.kind == HdlValue::Kind::exact &&
        (value.low < subject.low || value.low > subject.high))
        return {}; // another call may reach this
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {code(value), code(value.literal == Integer{1} ? subject : negated(subject)), false};
    return {code(value), equals(code(value)), false};
}

} // namespace sme::hdl
