// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/vhdl/statement_text.hpp"

namespace sme::hdl::vhdl {

/// Writes a function in the declarations of an architecture, after the declarations that it needs.
std::string function_text(const rtl::Function& function, const Scope& scope, Names& names);

/// The package `sme_bits`: functions that modules need beyond numeric_std.
extern const char* const bits_package;

} // namespace sme::hdl::vhdl
