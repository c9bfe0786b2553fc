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
    std::string modport; // empty: not named
    std::string name;
    std::string file; // of the name
    unsigned line = 0;
    unsigned column = 0;
    std::string parameters = {}; // "#(.W(8)) "
};

/// Returns the ports of module `top` that Verilator refused as interfaces, from its messages and
/// the source; empty if it refused no port. A port that could not be parsed has no type.
std::vector<InterfacePort> interface_ports(const std::string& said, const std::string& top);

/// Sets the parameters of the interfaces: those that the module gives for their ports, otherwise
/// the module's own parameters of the same names. `declared`: the netlist of a probe without the
/// module, if there is one.
void give_parameters(std::vector<InterfacePort>& ports, const VerilogModule& module,
                     const std::optional<ElementTree>& declared);

/// Returns a module without ports that instantiates the interfaces.
std::string probe_of(const std::vector<InterfacePort>& ports);

/// Returns a module without ports that instantiates the module; its netlist shows the interfaces.
std::string probe_of(const VerilogModule& module, const std::vector<InterfacePort>& ports);
constexpr const char* probe_name = "sme_probe";

/// A wrapper around a module with ports that no bus can be bound to.
struct PortWrapper {
    std::string text;
    std::vector<ModulePort> ports; // of the wrapper, with the positions of their declarations
    std::string problem;           // why no wrapper is possible; empty: it is
    InterfacePort at;              // the port with the problem
};
/// Creates the wrapper from the probe's netlist: each signal of an interface is a port
/// "port_signal".
PortWrapper wrapper_of(const ElementTree& tree, const VerilogModule& module,
                       const std::vector<InterfacePort>& ports);
/// Returns the instance of the module in its wrapper, with these connections.
std::string inner_instance(const VerilogModule& module, const std::string& connections);
/// Returns the name of the wrapper.
std::string wrapper_name(const VerilogModule& module);
/// Returns the path to the module from the top: "top", or "around.inner" inside a wrapper.
std::string path_to(const VerilogModule& module, const Netlist& netlist);

/// Returns a wrapper around a module with `inout` ports, or with ports that have the names of
/// members of Verilator's classes. Each `inout`, "pad", becomes two inputs and an output: "pad_in"
/// is driven weakly onto the bits that are 1 in "pad_enable"; "pad_out" is the resolved value: the
/// module's, else the external one, else 0. The text is empty if the module has no such port, or
/// none can be wrapped.
PortWrapper port_wrapper(const Netlist& netlist, const VerilogModule& module);

/// Returns the name that a port has in a wrapper: another one than in the module if Verilator's
/// classes have a member of its name.
std::string outer_port(const std::string& port);
/// Returns the name in the module of a port of a wrapper.
std::string inner_port(const std::string& port);

} // namespace sme::verilator
