// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "network/verilog.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// A port of a module that is an interface: "axis.slave s".
struct InterfacePort {
    std::string type;
    std::string modport; // empty: none is named
    std::string name;
    std::string file; // where the name stands
    unsigned line = 0;
    unsigned column = 0;
    std::string parameters = {}; // "#(.W(8)) "
};

/// The ports of module `top` that Verilator refused for being interfaces, from what it said and the
/// source: empty, it did not say so. One that could not be read has no type.
std::vector<InterfacePort> interface_ports(const std::string& said, const std::string& top);

/// Gives the interfaces the parameters that the module names for their ports and, where it names
/// none, those of its own that they declare as well. `declared`: the netlist of a probe without the
/// module, if there is one.
void give_parameters(std::vector<InterfacePort>& ports, const VerilogModule& module,
                     const std::optional<ElementTree>& declared);

/// A module without ports that has the interfaces in it.
std::string probe_of(const std::vector<InterfacePort>& ports);

/// A module without ports that has the module in it, whose netlist shows the interfaces.
std::string probe_of(const VerilogModule& module, const std::vector<InterfacePort>& ports);
constexpr const char* probe_name = "sme_probe";

/// A module around one whose ports no bus can be bound to.
struct PortWrapper {
    std::string text;
    std::vector<ModulePort> ports; // of the module around it, with the places of their declarations
    std::string problem;           // why there can be none; empty: there is
    InterfacePort at;              // where the problem is
};
/// From the netlist of the probe: each signal of an interface is a port "port_signal".
PortWrapper wrapper_of(const ElementTree& tree, const VerilogModule& module,
                       const std::vector<InterfacePort>& ports);
/// The module in the one around it, as an instance with these connections.
std::string inner_instance(const VerilogModule& module, const std::string& connections);
/// The name of the module around it.
std::string wrapper_name(const VerilogModule& module);
/// The module itself, from the outermost one: "top", or "around.inner" where there is one around it.
std::string path_to(const VerilogModule& module, const Netlist& netlist);

} // namespace sme::verilator
