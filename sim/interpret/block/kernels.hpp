// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "expr/program/program.hpp"

namespace sme::interpret {

/// One operation over a block: n elements from columns a, b and c into column d. The scalar type of
/// a column determines its element size: 1, 2, 4 or 8 bytes. Columns do not overlap, except that d
/// may be a.
using Kernel = void (*)(void* d, const void* a, const void* b, const void* c, std::size_t n,
                        std::uint64_t immediate);

/// The loop of an operation on values; null for other operations (loads, reads, index, cycle). Its
/// result may need `narrow`.
Kernel kernel_of(expr::Op op, expr::Scalar result, expr::Scalar operand);

/// Shifts all elements by one count (the immediate).
Kernel shift_by_constant(expr::Op op, expr::Scalar type);

/// Makes elements canonical again, in place: the immediate is the width in bits.
Kernel narrow(expr::Scalar type);

/// True if the result of an operation may need narrowing.
bool needs_narrow(expr::Op op, expr::Scalar result, expr::Scalar operand);

/// True if a conversion keeps every bit in place, so that it can use the same column.
bool is_same_column(expr::Scalar from, expr::Scalar to);

/// The number of true elements in a column of bools.
std::uint64_t count_true(const std::byte* column, std::size_t n);

/// True if any element is true in both columns of bools.
bool any_both(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);

} // namespace sme::interpret
