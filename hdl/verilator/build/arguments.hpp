// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/verilog.hpp"

namespace sme::verilator {

/// A module that is read in place of the one that is wanted, in a file of its own.
struct OuterModule {
    std::string name;
    std::string path;
};

/// What Verilator is told about a module, whatever it is to do with it. With one around it, which
/// gives it its parameters, that is the top.
std::vector<std::string> arguments_of(const VerilogModule& module,
                                      const std::optional<OuterModule>& outer = {});

/// All that a built module depends on beside the contents of files: two modules with one text are
/// one.
std::string identity_of(const VerilogModule& module);

} // namespace sme::verilator
