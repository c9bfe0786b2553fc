// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"

namespace sme::verilator {

/// Looks at the files of arguments of a module, and at those that they name, before Verilator does:
/// they hold names of Verilog files and options of a short list, because others start programs or
/// write files. Reports, where a list is named, what is not allowed and in which line. `reads` is
/// told every file.
void check_lists(const VerilogModule& module, Diagnostics& diagnostics,
                 const std::function<void(const std::string&)>& reads = {});

/// The environment variables that lists name ("$HOME/a.v"), with their values, sorted.
std::string variables_of_lists(const VerilogModule& module);

/// A name with the values of the environment variables in it: $A, ${A} or $(A). One without a value
/// stays. `use` is told each that has one.
std::string substituted(std::string_view name,
                        const std::function<void(const std::string&, const char*)>& use = {});

} // namespace sme::verilator
