// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/fixed_point.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::expr {

namespace {

/// Returns the tree of an operator that no file contains.
const Ast& tree_of(Operator op) {
    static const std::vector<Ast> trees = [] {
        std::vector<Ast> result;
        for (const OperatorRow& row : operator_rows) {
            Ast tree{};
            tree.kind = is_unary(row.name) ? Ast::Kind::unary : Ast::Kind::binary;
            tree.op = row.name;
            result.push_back(std::move(tree));
        }
        return result;
    }();
    return trees[static_cast<std::size_t>(op)];
}

} // namespace

// Formats.

bool FixedPoint::is_known(const BoundExpr& value) const {
    return value.is_constant() ||
           (is(value) && !value.type->is_wide() && e_.known(value).has_value());
}

/// Returns the bits of a known number, as an integer.
Integer FixedPoint::known_bits(const BoundExpr& value) const {
    if (value.is_constant())
        return value.low;
    const std::uint64_t bits = *e_.known(value);
    return value.type->is_signed() ? Integer{static_cast<std::int64_t>(bits)} : Integer{bits};
}

/// Returns the format of a number; of a known one, the narrowest that holds it.
FixedPoint::Format FixedPoint::narrowest(const BoundExpr& value) const {
    Format result = format_of(value);
    if (!is_known(value))
        return result;
    Integer bits = known_bits(value);
    Integer fraction = result.fraction;
    for (; fraction > 0 && bits % 2 == 0; --fraction)
        bits /= 2;
    return with_fraction(of_integers(bits, bits), fraction);
}

TypeRef FixedPoint::type_of(const Format& format, const Location& where) {
    if (format.width() <= Type::max_bits)
        return Type::fixed(format.is_signed,
                           static_cast<unsigned>(format.whole + (format.width() == 0 ? 1 : 0)),
                           static_cast<unsigned>(format.fraction));
    e_.fail(Code::too_large, where,
            fmt::format("the exact result has {} bits before the point and {} after it, but "
                        "together a number has at most {}; round an operand",
                        to_string(format.whole), to_string(format.fraction), Type::max_bits));
    return nullptr;
}

// Expressions on integers.

BoundExpr FixedPoint::cast(BoundExpr value, const TypeRef& type) {
    return e_.made_of(BoundExpr::of(type), BoundExpr::Kind::cast, nullptr,
                      e_.operands_of(std::move(value)));
}

/// Returns the bits of a fixed-point number as an integer of this width.
BoundExpr FixedPoint::own_bits(const BoundExpr& x) {
    return cast(x, integer_type(format_of(*x.type)));
}

BoundExpr FixedPoint::operated(Operator op, BoundExpr a, BoundExpr b, const TypeRef& type) {
    return e_.made_of(BoundExpr::of(type), BoundExpr::Kind::binary, &tree_of(op),
                      e_.operands_of(std::move(a), std::move(b)));
}

BoundExpr FixedPoint::changed(Operator op, BoundExpr x, const TypeRef& type) {
    return e_.made_of(BoundExpr::of(type), BoundExpr::Kind::unary, &tree_of(op),
                      e_.operands_of(std::move(x)));
}

BoundExpr FixedPoint::chosen(BoundExpr condition, BoundExpr yes, BoundExpr no) {
    const TypeRef type = yes.type;
    return e_.made_of(BoundExpr::of(type), BoundExpr::Kind::choice, nullptr,
                      e_.operands_of(std::move(condition), std::move(yes), std::move(no)));
}

/// Returns the bits of a number in a format that holds it.
BoundExpr FixedPoint::bits_in(const BoundExpr& value, const Format& format) {
    const TypeRef type = integer_type(format);
    const Integer own = format_of(value).fraction;
    if (is_known(value)) {
        Integer bits = known_bits(value);
        for (Integer k = format.fraction; k < own; ++k)
            bits /= 2; // the format holds it
        if (const auto moved = exact_multiply(
                bits, Integer{1} << std::clamp<Integer>(format.fraction - own, 0, 126));
            moved && format.fraction - own <= 126)
            return number(*moved, type);
    }
    return widened(value.is_exact() ? value : own_bits(value), type, format.fraction - own);
}

namespace {

/// Returns the value before conversions that keep it.
const BoundExpr& before_widening(const BoundExpr& bits) {
    const BoundExpr* found = &bits;
    while (found->kind == BoundExpr::Kind::cast) {
        const BoundExpr& from = *found->operands[0];
        if (from.form != Form::typed || !from.type->is_numeric())
            break;
        const Type &narrow = *from.type, &wide = *found->type;
        const bool keeps = narrow.is_signed() == wide.is_signed()
                               ? narrow.width_bits() <= wide.width_bits()
                               : !narrow.is_signed() && narrow.width_bits() < wide.width_bits();
        if (!keeps)
            break;
        found = &from;
    }
    return *found;
}

} // namespace

/// Returns an integer in a wider type, moved up: sums and products are computed in it, so that
/// synthesis tools see them as one sum.
BoundExpr FixedPoint::widened(const BoundExpr& integer, const TypeRef& type, Integer up,
                              int depth) {
    const BoundExpr& bits = before_widening(integer);
    const auto is = [&](Operator op) {
        return depth > 0 && bits.kind == BoundExpr::Kind::binary && bits.ast == &tree_of(op);
    };
    const auto part = [&](std::size_t k, Integer by) {
        return widened(*bits.operands[k], type, by, depth - 1);
    };
    if (is(Operator::add))
        return operated(Operator::add, part(0, up), part(1, up), type);
    if (is(Operator::subtract))
        return difference(part(0, up), part(1, up), type);
    if (is(Operator::multiply)) {
        const std::size_t constant = e_.known(*bits.operands[0]) ? 0 : 1;
        return operated(Operator::multiply, part(constant, up), part(1 - constant, 0), type);
    }
    return moved(cast(bits, type), up);
}

/// Adds a product with a negative constant that would be subtracted: it takes fewer cells.
BoundExpr FixedPoint::difference(BoundExpr a, BoundExpr b, const TypeRef& type) {
    if (b.kind == BoundExpr::Kind::binary && b.ast == &tree_of(Operator::multiply) &&
        !type->is_wide())
        if (const auto factor = e_.known(*b.operands[0]);
            factor && static_cast<std::int64_t>(*factor) < 0 && type->is_signed())
            return operated(Operator::add, std::move(a),
                            operated(Operator::multiply,
                                     number(-Integer{static_cast<std::int64_t>(*factor)}, type),
                                     *b.operands[1], type),
                            type);
    return operated(Operator::subtract, std::move(a), std::move(b), type);
}

BoundExpr FixedPoint::moved(BoundExpr bits, Integer up) {
    const TypeRef type = bits.type;
    return up == 0 ? bits
                   : operated(Operator::shift_left, std::move(bits), BoundExpr::number(up), type);
}

BoundExpr FixedPoint::converted(const BoundExpr& value, const TypeRef& type) {
    return is(value) && *value.type == *type ? value : cast(bits_in(value, format_of(*type)), type);
}

BoundExpr FixedPoint::constant(const Scaled& number_of, unsigned fraction, const Location& where) {
    constexpr unsigned most = 126;
    if (width_of(number_of.units) > most)
        return e_.fail(Code::too_large, where,
                       fmt::format("this number has more than {} bits", most));
    Integer bits = Integer{number_of.units[0]};
    if (number_of.units.size() > 1)
        bits += Integer{number_of.units[1]} << 64;
    if (number_of.negative)
        bits = -bits;
    const Format format = with_fraction(of_integers(bits, bits), fraction);
    const TypeRef type = type_of(format, where);
    return type ? cast(number(bits, integer_type(format)), type) : BoundExpr{};
}

// Literals and operators.

BoundExpr FixedPoint::literal(const Ast& ast) {
    const Decimal number = *parse_decimal(ast.text);
    if (width_of(number.digits) == 0)
        return BoundExpr::number(0); // it needs no bits
    Scaled found = scaled(number, number.places);
    unsigned fraction = number.places;
    while (fraction > 0 && scaled(number, fraction - 1).exact)
        found = scaled(number, --fraction);
    return found.exact
               ? constant(found, fraction, ast.where)
               : e_.fail(Code::does_not_fit, ast.where,
                         fmt::format("{0} has no exact value in binary; write round({0}, T, "
                                     "nearest) with its type, as in round({0}, fixed(2, 14), "
                                     "nearest)",
                                     ast.text));
}

BoundExpr FixedPoint::unary(const Ast& ast, const BoundExpr& x) {
    if (ast.op != Operator::negate)
        return e_.fail(Code::operand_type, ast.where,
                       fmt::format("'{}' takes an integer, but this is {}; write u{}(...) for its "
                                   "bits",
                                   spelling(ast.op), x.type->name(), x.type->width_bits()));
    Format format = format_of(x);
    format.is_signed = true;
    ++format.whole;
    const TypeRef type = type_of(format, ast.where);
    if (!type)
        return {};
    const TypeRef bits = integer_type(format);
    return cast(changed(Operator::negate, bits_in(x, format), bits), type);
}

BoundExpr FixedPoint::absolute(const BoundExpr& x, const Location& where) {
    Format format = format_of(x);
    if (!format.is_signed)
        return x;
    format.is_signed = false; // holds the negated smallest number
    const TypeRef type = type_of(format, where);
    if (!type)
        return {};
    const BoundExpr negative =
        operated(Operator::less, own_bits(x), BoundExpr::number(0), Type::boolean());
    const BoundExpr minus = unary(tree_of(Operator::negate), x);
    return minus.ok() ? cast(chosen(negative, cast(own_bits(minus), integer_type(format)),
                                    cast(own_bits(x), integer_type(format))),
                             type)
                      : BoundExpr{};
}

/// Reports an operand that is no number.
bool FixedPoint::are_numbers(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    for (const BoundExpr* each : {&a, &b})
        if (!is_number(*each)) {
            const bool integer = each->form == Form::typed && each->type->is_integer();
            e_.fail(Code::operand_type, ast.where,
                    fmt::format("the {} operand of '{}' is {}, but the other one is {}{}",
                                each == &a ? "left" : "right", spelling(ast.op),
                                e_.describe_type(*each), e_.describe_type(each == &a ? b : a),
                                integer ? fmt::format("; write {}fixed({}, 0)(...)",
                                                      each->type->is_signed() ? "" : "u",
                                                      each->type->width_bits())
                                        : std::string{}));
            return false;
        }
    return true;
}

/// Reports an operator that fixed-point numbers lack.
BoundExpr FixedPoint::undefined(const Ast& ast) {
    const char* const instead = ast.op == Operator::divide || ast.op == Operator::remainder
                                    ? "multiply by the reciprocal, or divide the bits as integers"
                                : is_shift(ast.op)          ? "multiply by 2 or 0.5 instead"
                                : ast.op == Operator::power ? "write a product"
                                : is_logical(ast.op)
                                    ? "compare it, as in x != 0"
                                    : "write u16(...), with its width, for the bits";
    return e_.fail(
        Code::operand_type, ast.where,
        fmt::format("'{}' is not defined for fixed-point numbers; {}", spelling(ast.op), instead));
}

BoundExpr FixedPoint::binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    if (!a.ok() || !b.ok())
        return {};
    if (!are_numbers(ast, a, b))
        return {};
    const Format x = format_of(a), y = format_of(b);
    Format result = joined(x, y);
    if (is_comparison(ast.op)) {
        if (!type_of(result, ast.where))
            return {};
        return operated(ast.op, bits_in(a, result), bits_in(b, result), Type::boolean());
    }
    switch (ast.op) {
    case Operator::add: ++result.whole; break;
    case Operator::subtract:
        result.is_signed = true;
        ++result.whole;
        break;
    case Operator::multiply:
        result.whole = x.whole + y.whole;
        result.fraction = x.fraction + y.fraction;
        break;
    default: return undefined(ast);
    }
    const TypeRef type = type_of(result, ast.where);
    if (!type)
        return {};
    const TypeRef bits = integer_type(result);
    if (ast.op == Operator::add)
        return cast(operated(ast.op, bits_in(a, result), bits_in(b, result), bits), type);
    if (ast.op == Operator::subtract)
        return cast(difference(bits_in(a, result), bits_in(b, result), bits), type);
    const auto factor = [&](const BoundExpr& value, const Format& format) {
        return bits_in(value,
                       {result.is_signed, result.width() - format.fraction, format.fraction});
    };
    const auto only_moves = [&](const BoundExpr& value) { // the point of the other
        return is_known(value) && known_bits(value) == 1;
    };
    if (only_moves(a))
        return cast(factor(b, y), type);
    if (only_moves(b))
        return cast(factor(a, x), type);
    return cast(operated(ast.op, factor(a, x), factor(b, y), bits), type);
}

// Conversions.

BoundExpr FixedPoint::assigned(const BoundExpr& value, const TypeRef& type, const Location& where,
                               const std::string& what, const Location& declared) {
    if (!is_number(value)) {
        e_.fits(value, type, where, what, declared); // reports it
        return {};
    }
    const Format given = narrowest(value), wanted = format_of(*type);
    if (holds(wanted, given))
        return converted(value, type);
    const std::string name = type->name();
    const bool cuts = given.fraction > wanted.fraction;
    const bool limits = !holds({wanted.is_signed, wanted.whole, given.fraction}, given);
    const std::string advice =
        !cuts    ? fmt::format("saturate(..., {0}) or wrap(..., {0})", name)
        : limits ? fmt::format("saturate(..., {}, nearest), or wrap; or floor, even or zero", name)
                 : fmt::format("round(..., {}, nearest), or with floor, even or zero", name);
    const bool is_constant = is_known(value);
    Diagnostic& found = e_.diagnostics().add(
        is_constant ? Code::does_not_fit : Code::width_mismatch, where,
        fmt::format("{} is {} ({}), but this {} {}; write {}", what, name, range_text(*type),
                    is_constant ? "needs" : "is", type_of(given, where)->name(), advice));
    if (declared.known())
        found.note(declared, fmt::format("{} is declared {} here", what, name));
    return {};
}

void FixedPoint::unify(std::vector<BoundExpr>& values, const Location& where) {
    const auto may_be = [](const BoundExpr& value) { return !value.ok() || is_number(value); };
    if (std::none_of(values.begin(), values.end(), is) ||
        !std::all_of(values.begin(), values.end(), may_be))
        return;
    std::optional<Format> all;
    for (const BoundExpr& value : values)
        if (value.ok()) {
            const Format own = format_of(value);
            all = all ? joined(*all, own) : own;
        }
    TypeRef type = type_of(*all, where);
    for (BoundExpr& value : values)
        if (value.ok())
            value = type ? converted(value, type) : BoundExpr{};
}

TypeRef FixedPoint::as_integers(std::vector<BoundExpr>& terms, const std::string& name,
                                Integer times, const Location& where) {
    std::optional<Format> all;
    for (const BoundExpr& term : terms) {
        if (!term.ok())
            return nullptr;
        if (name == "xor") {
            e_.fail(Code::operand_type, where,
                    "'xor' is not defined for fixed-point numbers; write u16(...), with its width, "
                    "for the bits");
            return nullptr;
        }
        if (!is_number(term)) {
            e_.fail(Code::operand_type, where,
                    fmt::format("'{}' takes values of one kind, but one is a fixed-point number "
                                "and this is {}",
                                name, e_.describe_type(term)));
            return nullptr;
        }
        const Format own = format_of(term);
        all = all ? joined(*all, own) : own;
    }
    if (name == "sum")
        all->whole += ceil_log2(times * static_cast<Integer>(terms.size()));
    TypeRef type = type_of(*all, where);
    for (BoundExpr& term : terms)
        term = type ? bits_in(term, *all) : BoundExpr{};
    return type;
}

} // namespace sme::expr
