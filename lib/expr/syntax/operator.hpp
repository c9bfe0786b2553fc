// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "expr/program/operations.hpp"

namespace sme::expr {

/// The operators of the language; operators.def defines each.
enum class Operator : std::uint8_t {
#define SME_UNARY_OPERATOR(name, ...) name,
#define SME_BINARY_OPERATOR(name, ...) name,
#include "expr/syntax/operators.def"
};

/// A row of operators.def.
struct OperatorRow {
    enum class Kind : std::uint8_t {
        unary,
        product,
        sum,
        shift,
        bitwise,
        equality,
        order,
        logical
    };
    const char* symbol; // as written: "+", "and"
    Operator name;
    Kind kind;
    Op op;               // on operands of one type
    int strength = 0;    // of binary operators: 1 and up; larger binds tighter
    bool turned = false; // the operation takes the operands in reverse order
};

inline constexpr OperatorRow operator_rows[] = {
#define SME_UNARY_OPERATOR(name, symbol, op)                                                       \
    {symbol, Operator::name, OperatorRow::Kind::unary, Op::op},
#define SME_BINARY_OPERATOR(name, symbol, strength, kind, op, turned, verilog, exact)              \
    {symbol, Operator::name, OperatorRow::Kind::kind, Op::op, strength, turned},
#include "expr/syntax/operators.def"
};

constexpr const OperatorRow& row_of(Operator op) {
    return operator_rows[static_cast<unsigned>(op)];
}

/// Returns the operator as written: "+", "and".
constexpr const char* spelling(Operator op) {
    return row_of(op).symbol;
}

constexpr bool is_unary(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::unary;
}
constexpr bool is_product(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::product;
}
constexpr bool is_shift(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::shift;
}
constexpr bool is_bitwise(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::bitwise;
}
/// == and !=
constexpr bool is_equality(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::equality;
}
/// <, <=, > and >=
constexpr bool is_order(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::order;
}
constexpr bool is_comparison(Operator op) {
    return is_equality(op) || is_order(op);
}
/// The strength of comparisons. They do not chain; 'not' binds slightly weaker.
inline constexpr int comparison_strength = row_of(Operator::equal).strength;

/// and, or and implies
constexpr bool is_logical(Operator op) {
    return row_of(op).kind == OperatorRow::Kind::logical;
}

/// Returns the row of a binary operator; null if unknown.
constexpr const OperatorRow* binary_operator(std::string_view symbol) {
    for (const OperatorRow& row : operator_rows)
        if (!is_unary(row.name) && row.symbol == symbol)
            return &row;
    return nullptr;
}

} // namespace sme::expr
