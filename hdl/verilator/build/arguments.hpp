// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/verilog.hpp"

namespace sme::verilator {

/// A wrapper module, in a file of its own, that Verilator reads as the top.
struct OuterModule {
    std::string name;
    std::string path;
};

/// Returns Verilator's arguments for a module, common to all uses. The wrapper, if any, is the top
/// and sets the module's parameters.
std::vector<std::string> arguments_of(const VerilogModule& module,
                                      const std::optional<OuterModule>& outer = {});

/// Returns a text of everything that a built module depends on besides file contents: modules with
/// equal texts are the same.
std::string identity_of(const VerilogModule& module);

} // namespace sme::verilator
