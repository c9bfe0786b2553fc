// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/verilog.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The module description in a generated class.
struct BuiltDescription {
    VerilogModule module; // its clocks; without sources
    Netlist netlist;
};

std::string description_of(const VerilogModule& module, const Netlist& netlist);
BuiltDescription read_description(const std::string& text);

/// Tests whether a name is valid for a generated class.
bool is_class_name(const std::string& name);

/// Return the texts of a process class, `name`.hpp and `name`_class.cpp.
std::string class_header(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);
std::string class_source(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);

} // namespace sme::verilator
