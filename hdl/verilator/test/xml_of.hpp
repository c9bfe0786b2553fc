// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/program.hpp"
#include "base/test/scratch.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::test {

/// What is read of module `t` from what the real Verilator writes.
inline verilator::Netlist netlist_of(const std::string& verilog,
                                     const std::vector<VerilogClock>& clocks = {}) {
    const Scratch folder;
    folder.write("t.sv", verilog);
    const ProgramEnd end =
        run_program("/usr/bin/env",
                    {"verilator", "--xml-only", "--flatten", "-Wno-fatal", "--no-timing",
                     "--assert", "--top-module", "t", "--Mdir", folder.path(), "--xml-output",
                     folder.path("t.xml"), folder.path("t.sv")},
                    ProgramStreams::all_taken);
    INFO(end.output);
    REQUIRE(end.good());
    VerilogModule module;
    module.clocks = clocks;
    module.resets = {{{"rst", {}}}};
    const auto made = verilator::read_netlist(text_of(folder.path("t.xml")), module);
    REQUIRE(made.has_value());
    return *made;
}

/// "a b?": what an output follows; a question mark where it may.
inline std::string followed(const verilator::ModulePort& port) {
    std::string text;
    for (const auto& [input, how] : port.follows)
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", input,
                            how == verilator::Follows::yes ? "" : "?");
    return text;
}

} // namespace sme::test
