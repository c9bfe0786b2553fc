// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bits/decimal.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/fixed_format.hpp"

namespace sme::expr {

/// Binds expressions on fixed-point numbers. Every operator gives the exact result, in a type that
/// holds it; only calls round or cut off. All become operations on integers between conversions
/// that keep the bits, so programs and exported modules know of no point.
class FixedPoint {
public:
    explicit FixedPoint(Elaborator& elaborator) : e_{elaborator} {}

    static bool is(const BoundExpr& value) {
        return value.form == Form::typed && value.type->is_fixed();
    }

    BoundExpr literal(const Ast& ast);
    BoundExpr unary(const Ast& ast, const BoundExpr& x);
    /// One of the operands is a fixed-point number.
    BoundExpr binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    BoundExpr absolute(const BoundExpr& x, const Location& where);
    /// round(x, T), saturate(x, T) and wrap(x, T), with or without a mode of rounding.
    BoundExpr narrowed(const Ast& call);

    /// Converts a value to a fixed-point type that holds it, or reports that it does not.
    BoundExpr assigned(const BoundExpr& value, const TypeRef& type, const Location& where,
                       const std::string& what, const Location& declared);
    /// Gives all values the type that holds each of them, if one is a fixed-point number and all
    /// are numbers. Broken values stay broken.
    void unify(std::vector<BoundExpr>& values, const Location& where);

    /// Returns the terms of sum, min or max as integers, and the type of which these are the bits.
    /// Each term is added `times` times. Null after an error.
    TypeRef as_integers(std::vector<BoundExpr>& terms, const std::string& name, Integer times,
                        const Location& where);
    /// Returns the number of a fixed-point type with the bits of an integer.
    BoundExpr from_bits(BoundExpr bits, const TypeRef& type) { return cast(std::move(bits), type); }

private:
    using Format = FixedFormat;
    static bool is_number(const BoundExpr& value) { return value.is_exact() || is(value); }
    bool is_known(const BoundExpr& value) const;
    Format narrowest(const BoundExpr& value) const;
    Integer known_bits(const BoundExpr& value) const;

    TypeRef type_of(const Format& format, const Location& where);
    BoundExpr cast(BoundExpr value, const TypeRef& type);
    BoundExpr number(Integer value, const TypeRef& type) {
        return cast(BoundExpr::number(value), type);
    }
    BoundExpr own_bits(const BoundExpr& x);
    BoundExpr operated(Operator op, BoundExpr a, BoundExpr b, const TypeRef& type);
    bool are_numbers(const Ast& ast, const BoundExpr& a, const BoundExpr& b);
    BoundExpr undefined(const Ast& ast);
    BoundExpr changed(Operator op, BoundExpr x, const TypeRef& type);
    BoundExpr chosen(BoundExpr condition, BoundExpr yes, BoundExpr no);
    BoundExpr bits_in(const BoundExpr& value, const Format& format);
    BoundExpr widened(const BoundExpr& bits, const TypeRef& type, Integer up, int depth = 8);
    BoundExpr difference(BoundExpr a, BoundExpr b, const TypeRef& type);
    BoundExpr moved(BoundExpr bits, Integer up);
    BoundExpr converted(const BoundExpr& value, const TypeRef& type);
    BoundExpr constant(const Scaled& number, unsigned fraction, const Location& where);

    BoundExpr rounded(const BoundExpr& x, Integer fraction, Rounding mode, const Location& where);
    BoundExpr saturated(const BoundExpr& x, const TypeRef& type, const Location& where);

    Elaborator& e_;
};

} // namespace sme::expr
