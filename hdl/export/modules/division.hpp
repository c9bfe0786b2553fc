// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/modules/module_text.hpp"
#include "sme/type.hpp"

namespace sme::hdl {

/// Gives a function of a dividend and a divisor its body and value: bit by bit, from the highest.
/// Icarus Verilog 11 does not end some divisions of more than 64 bits.
void divide_bits(rtl::Function& made, const Type& type, bool remainder, Names& names);

} // namespace sme::hdl
