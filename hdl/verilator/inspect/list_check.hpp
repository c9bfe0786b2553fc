// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"

namespace sme::verilator {

/// Checks the argument files of a module, and the files that they name, before Verilator reads
/// them: they may contain names of Verilog files and a few allowed options, because others start
/// programs or write files. Reports each violation with its line, at the place that names the list.
/// Calls `reads` with every file.
void check_lists(const VerilogModule& module, Diagnostics& diagnostics,
                 const std::function<void(const std::string&)>& reads = {});

/// Returns the environment variables in lists ("$HOME/a.v") with their values, sorted.
std::string variables_of_lists(const VerilogModule& module);

/// Replaces environment variables in a name: $A, ${A} or $(A). Keeps a variable without a value.
/// Calls `use` with each variable that has one.
std::string substituted(std::string_view name,
                        const std::function<void(const std::string&, const char*)>& use = {});

} // namespace sme::verilator
