// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "bits/integer.hpp"
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
    std::string_view symbol; // as written: "+", "and"
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
constexpr std::string_view spelling(Operator op) {
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

/// Compares two words; most differ in length or in the first letter.
constexpr bool is_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && (a.empty() || (a[0] == b[0] && a == b));
}

/// Returns the row of a binary operator; null if unknown.
constexpr const OperatorRow* binary_operator(std::string_view symbol) {
    for (const OperatorRow& row : operator_rows)
        if (!is_unary(row.name) && is_same(row.symbol, symbol))
            return &row;
    return nullptr;
}

struct Ast;
using AstRef = std::shared_ptr<const Ast>;

/// An expression as written. The meaning of `operands` by kind:
struct Ast {
    enum class Kind : std::uint8_t {
        number,      // `value`, or `words` when it has more than 126 bits
        decimal,     // `text`, as in 0.75
        boolean,     // `value` 0 or 1
        name,        // `text`
        index,       // base, then one or more indices
        slice,       // base, high, low
        field,       // base; `text` is the field
        call,        // callee (a name, or a call that yields a type), then arguments
        named,       // argument `text` = operand, or field `text`: operand of a map
        unary,       // operand
        binary,      // two operands
        conditional, // condition, value, condition, value, …, value of else
        fields,      // {a: 1, b: 2}: operands of kind `named`
        list,        // elements of [a, b]
        file,        // file(text)
        range, // `text` < operand in the brackets of a target; a second operand is the low end
    };
    Kind kind;
    Operator op = Operator::add;
    Location where;
    std::string text;
    Integer value = 0;
    std::shared_ptr<const Words> words; // null: the number is in `value`
    int depth = 1; // depth of this tree; a chain of operators of equal strength counts once
    std::vector<AstRef> operands;
};

/// Returns the operators of a left-associative chain without parentheses, outermost first: `a + b -
/// c` has two. Trees are shallow but chains may be long, so chains are walked in a loop.
std::vector<const Ast*> chain_of(const Ast& binary);

/// A declaration: the text after the colon of "name: [wire | delay n] [hold | error] type [=
/// initial]", or of a channel "[depth n] [delay n] type".
struct Declaration {
    Location where;
    bool wire = false;
    AstRef delay; // null if absent
    bool hold = false;
    bool error = false;
    AstRef depth;           // for a channel; null if absent
    bool channel = false;   // a port that is the end of a channel; `type` is the message type
    bool generated = false; // not in the file
    AstRef type;            // null only if broken
    AstRef initial;         // null if absent
};

/// The property of a check: "a", or a temporal condition, "a then b within 3".
struct PropertyText {
    AstRef first;           // null if unreadable
    AstRef then;            // null if not a temporal condition
    AstRef from;            // 2 for "in 2 to 5"; null for "within"
    AstRef to;              // last cycle, counted from that of `first`
    bool one_cycle = false; // "in 2": `from` is `to`
    /// Of "x in [0, 1..9]", and of "x in [0, 1] cross y in [2, 3]": the values that each bin
    /// counts.
    struct Bin {
        AstRef condition;
        Location where;
        std::string text; // "x in 1..9"
    };
    std::vector<Bin> bins = {}; // then the above is that of the first one
};

/// One range of a family: "n", "k < n" or "1 <= k < n".
struct RangeText {
    Location where;
    AstRef low;        // null if 0
    std::string index; // empty if unnamed
    AstRef end;
};

/// A family name: "name" or "name[ranges]".
struct FamilyName {
    Location where;
    std::string name;
    std::vector<RangeText> ranges;
};

} // namespace sme::expr
