// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expr/program/program.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

/// Writes the operations of programs as C expressions. A C variable holds a value as the
/// interpreter keeps it in a column: zero- or sign-extended. All wraps are explicit, and the C
/// computes in unsigned types, so that its behaviour is always defined.
class Arithmetic {
public:
    /// No variable is narrower than this: 1 for loops that become vector code, 4 for straight code.
    explicit Arithmetic(unsigned least_bytes) : least_bytes_{least_bytes} {}

    CType of(expr::Scalar type) const;
    std::string literal(expr::Scalar type, std::uint64_t value) const;

    /// The operands of an operation: names or literals, and the value of b if constant.
    struct Operands {
        std::string a, b, c;
        expr::Scalar a_type = {};
        std::optional<std::uint64_t> b_value = {};
    };
    /// The value of an operation of this type; it depends on its operands only.
    std::string operation(expr::Op op, expr::Scalar type, const Operands& operands) const;

private:
    /// The value of an unsigned expression, reduced modulo 2^n for a type.
    std::string narrowed(const std::string& text, expr::Scalar type) const;
    std::string filled(const char* text, expr::Op op, expr::Scalar type,
                       const Operands& operands) const;
    std::string division(expr::Op op, expr::Scalar type, const Operands& operands) const;
    std::string shift(expr::Op op, expr::Scalar type, const Operands& operands) const;
    std::string conversion(expr::Scalar to, const Operands& operands) const;
    /// The unsigned type used for computing.
    const char* computing(expr::Scalar type) const { return of(type).bytes == 8 ? "u64" : "u32"; }

    unsigned least_bytes_;
};

/// The beginning of every C file: types, the structs of abi.hpp, and operations without a C
/// operator.
std::string_view prelude();

} // namespace sme::native
