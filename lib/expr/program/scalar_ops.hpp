// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "expr/program/program.hpp"

namespace sme::expr {

/// The meaning of an operation on canonical, sign-extended values: what constants are folded with,
/// and what the interpreter's loops are tested against. `operand` is the type of the operands.
/// Only for operations on values (not index, cycle, loads and reads).
std::uint64_t evaluate(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c);

} // namespace sme::expr
