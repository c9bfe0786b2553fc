// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expr/program/program.hpp"

namespace sme::native {

/// An integer type of the C that is written: u8 … u64, i8 … i64.
struct CType {
    unsigned bytes = 8;
    bool is_signed = false;

    std::string name() const;
    bool operator==(const CType&) const = default;
};

/// Writes the operations of programs as C expressions. A value stands in a C variable as the
/// interpreter keeps it in a column: zero- or sign-extended; all wraps are written out and computed
/// in unsigned types, so that nothing is left to the compiler to define.
class Arithmetic {
public:
    /// No variable is narrower than this: 1 for loops that become vector code, 4 for straight code.
    explicit Arithmetic(unsigned least_bytes) : least_bytes_{least_bytes} {}

    CType of(expr::Scalar type) const;
    /// How the scalar lies in a slot.
    static CType in_slot(expr::Scalar type) { return {type.bytes(), type.is_signed}; }
    std::string literal(expr::Scalar type, std::uint64_t value) const;

    /// What an operation reads: names or literals, and the value of b where it is constant.
    struct Operands {
        std::string a, b, c;
        expr::Scalar a_type = {};
        std::optional<std::uint64_t> b_value = {};
    };
    /// The value of a node that works on other nodes only.
    std::string operation(const expr::Node& node, const Operands& operands) const;

    /// The value of an unsigned expression modulo 2^n of a type.
    std::string narrowed(const std::string& text, expr::Scalar type) const;

private:
    std::string filled(const char* text, const expr::Node& node, const Operands& operands) const;
    std::string division(const expr::Node& node, const Operands& operands) const;
    std::string shift(const expr::Node& node, const Operands& operands) const;
    std::string conversion(expr::Scalar to, const Operands& operands) const;
    /// The unsigned type that is computed in.
    const char* computing(expr::Scalar type) const { return of(type).bytes == 8 ? "u64" : "u32"; }

    unsigned least_bytes_;
};

/// A name of a network as one of C, without dots, brackets and words that mean something in C.
std::string c_name(const std::string& name);

} // namespace sme::native
