// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/program.hpp"
#include "base/test/scratch.hpp"
#include "verilator/build/netlist_dump.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::test {

/// Returns the settings for the Verilator in PATH.
inline verilator::Settings settings() {
    verilator::Settings result;
    result.verilator = find_program("verilator").value_or("");
    result.compiler = "/usr/bin/c++";
    return result;
}

/// Returns the real Verilator's netlist of module `t`.
inline verilator::ElementTree tree_of(const std::string& verilog) {
    const Scratch folder;
    folder.write("t.sv", verilog);
    verilator::NetlistDump dump =
        dump_netlist(settings(), folder.path(),
                     {"--flatten", "-Wno-fatal", "--no-timing", "--assert", "--top-module", "t",
                      folder.path("t.sv")});
    INFO(dump.end.output);
    REQUIRE(dump.tree.has_value());
    return std::move(*dump.tree);
}

/// Returns the netlist read from that.
inline verilator::Netlist netlist_of(const std::string& verilog,
                                     const std::vector<VerilogClock>& clocks = {}) {
    VerilogModule module;
    module.clocks = clocks;
    module.resets = {{{"rst", {}}}};
    return verilator::read_netlist(tree_of(verilog), module);
}

/// Returns the dependencies of an output as "a b?"; a question mark means possibly.
inline std::string followed(const verilator::ModulePort& port) {
    std::string text;
    for (const auto& [input, how] : port.follows)
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", input,
                            how == verilator::Follows::yes ? "" : "?");
    return text;
}

} // namespace sme::test
