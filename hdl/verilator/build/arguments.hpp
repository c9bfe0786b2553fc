// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/verilog.hpp"

namespace sme::verilator {

/// What Verilator is told about a module, whatever it is to do with it.
std::vector<std::string> arguments_of(const VerilogModule& module);

/// The name of its clock's port; a module need not have one of that name when none is given.
std::string clock_of(const VerilogModule& module);

/// All that a built module depends on beside the contents of files: two modules with one text are
/// one.
std::string identity_of(const VerilogModule& module);

} // namespace sme::verilator
