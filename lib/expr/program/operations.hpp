// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sme::expr {

/// The operations of programs; operations.def defines each.
enum class Op : std::uint8_t {
#define SME_OPERATION(name, ...) name,
#define SME_LOGICAL_OPERATION(name, ...) name,
#define SME_OWN_OPERATION(name, ...) name,
#define SME_OTHER_OPERATION(name, ...) name,
#include "expr/program/operations.def"
};

/// How the types of operands and result relate.
enum class Types : std::uint8_t { own, same, comparison, count, shift };
/// When an operation can set bits beyond the width of its result.
enum class Widens : std::uint8_t { never, if_signed, if_unsigned, always };

/// An operand that leaves the other one unchanged.
struct Neutral {
    bool left = false; // it may be the left operand
    bool right = false;
    std::uint64_t value = 0;
};

/// A row of operations.def.
struct Operation {
    enum class Category : std::uint8_t { value, source, read, check, loop };
    const char* name;
    Category category;
    unsigned operands; // how many of a, b and c are nodes
    Types types = Types::own;
    bool sees_sign = false;
    Widens widens = Widens::never;
    unsigned work = 1; // approximate; an addition is 1
    Neutral neutral = {};
    bool faults = false; // true if it may fault, or is not known not to, when its operands do not
};

namespace rows {

inline constexpr bool bits = false, wrapped = false, number = true; // whether it sees the sign
inline constexpr Neutral none{};
constexpr Neutral right(std::uint64_t value) {
    return {false, true, value};
}
constexpr Neutral both(std::uint64_t value) {
    return {true, true, value};
}

inline constexpr Operation all[] = {
#define SME_OPERATION(name, operands, types, sign, widens, work, neutral, c, formula)              \
    {#name,  Operation::Category::value, operands, Types::types, sign, Widens::widens, work,       \
     neutral},
#define SME_LOGICAL_OPERATION(name, like) {#name, Operation::Category::value, 2, Types::same},
#define SME_OWN_OPERATION(name, operands, work)                                                    \
    {#name, Operation::Category::value, operands, Types::own, false, Widens::never, work},
#define SME_OTHER_OPERATION(name, operands, category, faults, work)                                \
    {#name, Operation::Category::category, operands, Types::own, false, Widens::never, work, {},   \
     faults},
#include "expr/program/operations.def"
};

} // namespace rows

constexpr const Operation& row_of(Op op) {
    return rows::all[static_cast<unsigned>(op)];
}

/// Returns true if an operation depends only on its operands.
constexpr bool is_value(Op op) {
    return row_of(op).category == Operation::Category::value;
}
/// Returns true if it reads a word at a computed index.
constexpr bool is_read(Op op) {
    return row_of(op).category == Operation::Category::read;
}
constexpr bool is_comparison(Op op) {
    return row_of(op).types == Types::comparison;
}
/// Returns true if the result is bool or u8 for all operand types.
constexpr bool gives_byte(Op op) {
    return is_comparison(op) || row_of(op).types == Types::count;
}
constexpr bool is_shift(Op op) {
    return row_of(op).types == Types::shift;
}
/// For an operation that has its own row for all engines.
constexpr bool widens(Op op, bool is_signed) {
    const Widens when = row_of(op).widens;
    return when == Widens::always || when == (is_signed ? Widens::if_signed : Widens::if_unsigned);
}

} // namespace sme::expr
