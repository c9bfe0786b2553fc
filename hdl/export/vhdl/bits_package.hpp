// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme::hdl::vhdl {

/// The package `sme_bits`: functions that modules need beyond numeric_std.
extern const char* const bits_package;

} // namespace sme::hdl::vhdl
