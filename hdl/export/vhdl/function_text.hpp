// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/vhdl/statement_text.hpp"

namespace sme::hdl::vhdl {

/// A function in the declarations of an architecture, with what it needs before it.
std::string function_text(const rtl::Function& function, const Scope& scope, Names& names);

} // namespace sme::hdl::vhdl
