// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verilator/build/settings.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// What Verilator made of a module that it only reads.
struct NetlistDump {
    ProgramEnd end;
    std::optional<ElementTree> tree; // nothing: it failed, or what it wrote cannot be understood
    std::string problem;             // why there is no file; empty: there is one
};

/// Lets Verilator read a module with these arguments, and write its netlist into a folder, in the
/// format that this Verilator has.
NetlistDump dump_netlist(const Settings& settings, const std::string& folder,
                         const std::vector<std::string>& arguments);

} // namespace sme::verilator
