// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// Tests whether an expression is a boolean in VHDL, not a bit.
bool is_condition(const rtl::Expr& expr);

/// The most bits of one bit string: GHDL refuses longer ones.
constexpr std::uint64_t max_bit_string = 2048;
/// Returns a value as a bit string, `9x"1f"`; if it is too wide, as several joined by "&".
std::string bit_string(std::span<const std::uint64_t> words, std::uint64_t width);

/// Writes expressions in VHDL-2008. One unsigned bit is std_logic, all other values are unsigned or
/// signed. Every operand has its type; only explicit functions resize.
class ExprText {
public:
    explicit ExprText(const Scope& scope) : scope_{scope} {}

    /// Writes an expression where the context gives its type: an assignment, a port.
    std::string value(const rtl::ExprRef& expr, Shape want) const;
    /// Like value(), with "when … else" outermost.
    std::string assigned(const rtl::ExprRef& expr, Shape want) const;
    /// Writes an expression with its type, in any context.
    std::string typed(const rtl::ExprRef& expr, Shape want) const;
    std::string condition(const rtl::ExprRef& expr) const;
    std::string integer(const rtl::ExprRef& expr) const;
    /// Writes the target of an assignment: not a variable slice.
    std::string target(const rtl::Place& place) const;
    std::string name(const rtl::Place& place) const;
    /// Returns an unsigned expression as an integer below `count`; 0 means that the limit is
    /// unknown.
    std::string index(const rtl::ExprRef& expr, std::uint64_t count) const;

private:
    struct Piece {
        std::string text;
        bool is_primary = true;
        bool is_untyped = false; // a literal or a concatenation: the context gives its type
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
    /// Writes an operand; a small number as an integer where the operator has an overload for it.
    Piece operand(const rtl::ExprRef& expr, Shape want) const;
    std::string compared_bit(const rtl::ExprRef& expr) const;
    Piece bit_is(char bit, const rtl::ExprRef& x) const;
    static std::string closed(const Piece& piece, const char* op = "");
    Shape common_shape(const rtl::Expr& a, const rtl::Expr& b) const;

    const Scope& scope_;
};

} // namespace sme::hdl::vhdl
