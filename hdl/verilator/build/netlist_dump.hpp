// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verilator/build/settings.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// Verilator's netlist of a module.
struct NetlistDump {
    ProgramEnd end;
    std::optional<ElementTree> tree; // `nullopt`: Verilator failed, or its output is invalid
    std::string problem;             // why the file is missing; empty: it exists
};

/// Runs Verilator on a module with these arguments to write its netlist into a folder, in the
/// format of this version.
NetlistDump dump_netlist(const Settings& settings, const std::string& folder,
                         const std::vector<std::string>& arguments);

} // namespace sme::verilator
