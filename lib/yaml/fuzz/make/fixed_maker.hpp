// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

/// Generates the bits of a fixed-point expression, as an integer of this type: about 2^depth
/// operators. Its meaning is in numbers of 128 bits.
Term fixed_bits(TermMaker& terms, Maker& maker, const TypeOf& type, int depth);

/// Generates a comparison of two fixed-point expressions.
Term fixed_compared(TermMaker& terms, Maker& maker, int depth);

} // namespace sme::fuzz
