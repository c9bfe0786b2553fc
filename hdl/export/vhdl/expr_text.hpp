// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/vhdl/scope.hpp"

namespace sme::hdl::vhdl {

/// Whether an expression is true or false in VHDL, not a bit.
bool is_condition(const rtl::Expr& expr);

/// Writes expressions in VHDL-2008. One bit without a sign is std_logic, all else unsigned or
/// signed. Every operand is of its type, so nothing is resized but where a function says so.
class ExprText {
public:
    explicit ExprText(const Scope& scope) : scope_{scope} {}

    /// Where what stands around says what type it has: an assignment, a port.
    std::string value(const rtl::ExprRef& expr, Shape want) const;
    /// As value, with "when … else" outermost.
    std::string assigned(const rtl::ExprRef& expr, Shape want) const;
    /// With its type, whatever stands around.
    std::string typed(const rtl::ExprRef& expr, Shape want) const;
    std::string condition(const rtl::ExprRef& expr) const;
    std::string integer(const rtl::ExprRef& expr) const;
    /// What an assignment can have as its target: no moving slice.
    std::string target(const rtl::Place& place) const;
    std::string name(const rtl::Place& place) const;
    /// The number of an unsigned expression, below `count`, which may be 0: then nothing is known.
    std::string index(const rtl::ExprRef& expr, std::uint64_t count) const;

private:
    struct Piece {
        std::string text;
        bool is_primary = true;
        bool is_untyped = false; // a literal or a concatenation: what stands around says its type
        const char* op = "";     // the outermost operator
    };
    Piece piece(const rtl::ExprRef& expr, Shape want) const;
    Piece natural(const rtl::Expr& expr, Shape want) const;
    Piece literal(const rtl::Expr& expr, Shape want) const;
    Piece place(const rtl::Place& place) const;
    Piece integer_place(const rtl::Place& place) const;
    Piece moved_place(const rtl::Place& place, const std::string& base) const;
    Piece unary(const rtl::Expr& expr) const;
    Piece binary(const rtl::Expr& expr) const;
    Piece of_bits(const rtl::Expr& expr) const;
    Piece shift(const rtl::Expr& expr) const;
    Piece joined(const rtl::Expr& expr) const;
    Piece call(const rtl::Expr& expr) const;
    Piece choice(const rtl::Expr& expr, Shape want) const;
    Piece condition_piece(const rtl::Expr& expr) const;
    Piece comparison(const rtl::Expr& expr) const;
    Piece infix(const Piece& a, const char* op, const Piece& b, bool new_line = false) const;
    /// As an operand of what has a version for integers: a small number as one.
    Piece operand(const rtl::ExprRef& expr, Shape want) const;
    std::string compared_bit(const rtl::ExprRef& expr) const;
    static std::string closed(const Piece& piece, const char* op = "");
    Shape common_shape(const rtl::Expr& a, const rtl::Expr& b) const;

    const Scope& scope_;
};

} // namespace sme::hdl::vhdl
