// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "expr/program/program.hpp"

namespace sme::expr {

/// Evaluates an operation on canonical, sign-extended values. Used to fold constants and to test
/// the interpreter's loops. `operand` is the type of the operands. Only for operations on values
/// (not index, cycle, loads and reads).
std::uint64_t evaluate(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c);

} // namespace sme::expr
