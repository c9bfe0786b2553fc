// SPDX-License-Identifier: Apache-2.0
//
// Casts, struct constructors, and the built-in functions for values.
#include <algorithm>
#include <bit>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Typed;

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

Term Translator::construct(const Typed& typed) {
    const TypeRef& type = typed.value.type;
    Term old;
    if (typed.operands[0]) {
        old = fit(value(*typed.operands[0]), type);
        if (old.parts.empty())
            old = placed(old, "old");
    }
    std::vector<Term> parts;
    for (const Field& each : type->fields()) {
        const expr::TypedRef& given = typed.operands[parts.size() + 1];
        parts.push_back(given ? fit(value(*given), each.type)
                        : typed.operands[0]
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
    const auto shifted = [&](const char* op, const ExprRef& by) {
        return rtl::binary(op, Level::shift, code(x), by, true);
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

} // namespace sme::hdl
