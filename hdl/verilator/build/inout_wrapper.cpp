// SPDX-License-Identifier: Apache-2.0
//
// Verilator treats an inout port of the top as an input, but resolves nets with several drivers
// below it, so the wrapper turns the port into such a net. The external driver is weak, so the
// module wins if both drive; a pull-up is a constantly driven 1. A port of the top is a member of
// Verilator's classes, so a port that is called like one of their own members gets another name.
#include "verilator/build/wrappers.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

constexpr std::string_view renamed = "sme_port_";

/// The members of a model's classes in any version, and words that these classes use.
// clang-format off
const std::set<std::string, std::less<>> own_members{
    "CData", "EData", "IData", "QData", "SData", "TOP", "VerilatedContext", "VerilatedModel",
    "VerilatedVcdC", "VlUnpacked", "VlWide", "Vmodule", "Vmodule__Syms", "Vmodule___024root",
    "WData", "__Vconfigure", "__Vdeserialize", "__Vserialize", "atClone", "contextp", "eval",
    "eval_end_step", "eval_step", "eventsPending", "hierName", "modelName", "name",
    "nextTimeSlot", "os", "prepareClone", "rootp", "threads", "trace", "traceBaseModel",
    "traceCapable", "traceConfig", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "vlNamep",
    "vlSymsp"};
// clang-format on

class PortWrapperMaker {
public:
    PortWrapperMaker(const Netlist& netlist, const VerilogModule& module)
        : netlist_{netlist}, module_{module} {}

    PortWrapper run() {
        for (const ModulePort& port : netlist_.ports)
            if (!can_declare(port))
                return {};
        for (const ModulePort& port : netlist_.ports) {
            const std::string& name = port.port.name;
            const std::string outer = port.both ? name : outer_port(name);
            connections_ += fmt::format("{}.{}({})", connections_.empty() ? "" : ", ", name, outer);
            if (port.both)
                split(port);
            else
                declare(port, port.port.output ? "output" : "input", outer);
        }
        made_.text = fmt::format(
            "// Each inout as what is driven into it, and what is seen there; ports with the names "
            "of members of Verilator's classes under other names.\n"
            "module {} ({});\n{}{}endmodule\n",
            wrapper_name(module_), ports_, body_, inner_instance(module_, connections_));
        return std::move(made_);
    }

private:
    /// Tests an inout: its bits have one dimension, and its derived port names are free.
    bool can_declare(const ModulePort& port) const {
        if (port.port.width == 0 || port.port.width > Type::max_bits)
            return false;
        return !port.both || (port.port.elements == 0 && !netlist_.find(port.port.name + "_in") &&
                              !netlist_.find(port.port.name + "_enable") &&
                              !netlist_.find(port.port.name + "_out"));
    }

    void declare(const ModulePort& of, const char* direction, const std::string& name) {
        const std::uint64_t elements = of.port.elements;
        const std::uint64_t width = elements > 0 ? of.port.width / elements : of.port.width;
        ports_ +=
            fmt::format("{}\n    {} logic {}[{}:0] {} {}", ports_.empty() ? "" : ",", direction,
                        of.port.is_signed ? "signed " : "", width - 1, name, of.dimensions);
        ModulePort result = of;
        result.port.name = name;
        result.port.of_inout = of.both;
        result.both = false;
        made_.ports.push_back(std::move(result));
    }

    void split(const ModulePort& port) {
        const std::string& name = port.port.name;
        declare(port, "input", name + "_in");
        declare(port, "input", name + "_enable");
        declare(port, "output", name + "_out");
        std::string bits;
        for (unsigned k = port.port.width; k-- > 0;)
            bits += fmt::format("{0}{1}_enable[{2}] ? {1}_in[{2}] : 1'bz", bits.empty() ? "" : ", ",
                                name, k);
        body_ += fmt::format("    wire [{0}:0] {1};\n    assign (weak1, weak0) {1} = {{{2}}};\n"
                             "    assign {1}_out = {1};\n",
                             port.port.width - 1, name, bits);
    }

    const Netlist& netlist_;
    const VerilogModule& module_;
    PortWrapper made_;
    std::string ports_, body_, connections_;
};

} // namespace

std::string outer_port(const std::string& port) {
    return own_members.contains(port) ? std::string{renamed} + port : port;
}

std::string inner_port(const std::string& port) {
    return port.starts_with(renamed) ? port.substr(renamed.size()) : port;
}

PortWrapper port_wrapper(const Netlist& netlist, const VerilogModule& module) {
    if (std::none_of(netlist.ports.begin(), netlist.ports.end(), [](const ModulePort& port) {
            return port.both || outer_port(port.port.name) != port.port.name;
        }))
        return {};
    return PortWrapperMaker{netlist, module}.run();
}

} // namespace sme::verilator
