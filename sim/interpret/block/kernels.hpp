// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "expr/program/program.hpp"

namespace sme::interpret {

/// One operation over a block: n elements from columns a, b and c into column d. Columns hold
/// elements of 1, 2, 4 or 8 bytes as their scalar type says; they do not overlap, except that d may
/// be a.
using Kernel = void (*)(void* d, const void* a, const void* b, const void* c, std::size_t n,
                        std::uint64_t immediate);

/// The loop of an operation on values; null for those that are none (loads, reads, index, cycle).
/// Its result may need `narrow`.
Kernel kernel_of(expr::Op op, expr::Scalar result, expr::Scalar operand);

/// Shifts by one count (the immediate) for all elements.
Kernel shift_by_constant(expr::Op op, expr::Scalar type);

/// Makes elements canonical again, in place: the immediate is the width in bits.
Kernel narrow(expr::Scalar type);

/// Whether the result of an operation may have to be narrowed.
bool needs_narrow(expr::Op op, expr::Scalar result, expr::Scalar operand);

/// Whether a conversion leaves every bit in its place, so that the column itself can serve.
bool is_same_column(expr::Scalar from, expr::Scalar to);

/// How many elements of a column of bools are true.
std::uint64_t count_true(const std::byte* column, std::size_t n);

/// Whether any element is true in both columns of bools.
bool any_both(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);

} // namespace sme::interpret
