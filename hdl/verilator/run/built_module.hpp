// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/verilog.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// What a class that was made of a module says of it.
struct BuiltDescription {
    VerilogModule module; // how it is clocked; without sources
    Netlist netlist;
};

std::string description_of(const VerilogModule& module, const Netlist& netlist);
BuiltDescription read_description(const std::string& text);

/// Whether a class that is made can have the name.
bool is_class_name(const std::string& name);

/// The texts of a process class, `name`.hpp and `name`_class.cpp.
std::string class_header(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);
std::string class_source(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);

} // namespace sme::verilator
