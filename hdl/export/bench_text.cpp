// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/export.hpp"
#include "export/module_set.hpp"
#include "export/rtl/verilog.hpp"

namespace sme::hdl {

namespace {

const Watched& watched_at(const Exported& exported, std::size_t number) {
    return number < exported.inputs.size() ? exported.inputs[number]
                                           : exported.watched[number - exported.inputs.size()];
}

std::string vector_of(std::uint64_t width) {
    return fmt::format("[{}:0]", width - 1);
}

} // namespace

std::string value_file(const Exported& exported, std::size_t number) {
    std::string name = watched_at(exported, number).path;
    for (char& c : name)
        if (c == '.' || c == '[' || c == ']')
            c = '_';
    return fmt::format("values/{}_{}.hex", number, name);
}

namespace {

/// Declarations, the network itself, and reading of the files.
std::string bench_begin(const Exported& exported, std::uint64_t cycles) {
    std::string text =
        fmt::format("// Replays a run of '{0}' and compares all of its buses in every cycle.\n"
                    "`timescale 1ns / 1ps\n`default_nettype none\n\nmodule {0}_bench;\n"
                    "    localparam integer cycles = {1};\n\n",
                    exported.top, cycles);
    std::string ports, reads;
    for (const ExportedClock& each : exported.clocks)
        for (const std::string& name : {each.ports.clock, each.ports.reset}) {
            text += fmt::format("    reg {};\n", name);
            ports += fmt::format("{}        .{}({})", ports.empty() ? "" : ",\n", name, name);
        }
    text += "    integer cycle;\n    reg failed;\n";
    const std::size_t all = exported.inputs.size() + exported.watched.size();
    for (const Watched& input : exported.inputs) {
        text += fmt::format("    reg {} {};\n", vector_of(input.width), input.path);
        ports += fmt::format(",\n        .{0}({0})", input.path);
    }
    for (const Watched& output : exported.outputs) {
        text += fmt::format("    wire {} {};\n", vector_of(output.width), output.path);
        ports += fmt::format(",\n        .{0}({0})", output.path);
    }
    for (std::size_t k = 0; k < all; ++k) {
        text +=
            fmt::format("    reg {} values_{} [0:cycles - 1]; // {}\n",
                        vector_of(watched_at(exported, k).width), k, watched_at(exported, k).title);
        reads += fmt::format("        $readmemh(\"{}\", values_{});\n", value_file(exported, k), k);
    }
    return text + fmt::format("\n    {}{} dut (\n{}\n    );\n"
                              "\n    initial begin\n{}",
                              exported.top, rtl::verilog(exported.parameters), ports, reads);
}

} // namespace

std::string bench_text(const Exported& exported, std::uint64_t cycles) {
    std::string drive, compare;
    const std::size_t inputs = exported.inputs.size();
    for (std::size_t k = 0; k < inputs; ++k)
        drive += fmt::format("            {} = values_{}[cycle];\n", exported.inputs[k].path, k);
    for (std::size_t k = 0; k < exported.watched.size(); ++k)
        compare += fmt::format(
            "            if ({3}{0} !== values_{1}[cycle]) begin\n"
            "                if (!failed)\n"
            "                    $display(\"cycle %0d: {2} is %h, but was %h in the run\", cycle,\n"
            "                             {0}, values_{1}[cycle]);\n"
            "                failed = 1'b1;\n            end\n",
            exported.watched[k].path, inputs + k, exported.watched[k].title,
            exported.watched[k].late == 0
                ? ""
                : fmt::format("cycle + {} < cycles && ", exported.watched[k].late));
    std::string reset = drive;
    for (std::size_t at = 0; (at = reset.find("[cycle]", at)) != std::string::npos;)
        reset.replace(at, 7, "[0]");
    std::string begin, end, high, low, edges;
    for (const auto& [ports, rate] : exported.clocks) {
        begin += fmt::format("        {} = 1'b0;\n        {} = 1'b1;\n", ports.clock, ports.reset);
        end += fmt::format("        {} = 1'b0;\n", ports.reset);
        const std::string rises = fmt::format("{} = 1'b1;\n", ports.clock);
        high += (high.empty() ? "" : "            ") + rises;
        if (rate.is_every_cycle())
            edges += "            " + rises;
        else if (rate.offset < integers)
            edges += fmt::format("            if (cycle{} == {})\n                {}",
                                 rate.every < integers ? fmt::format(" % {}", rate.every) : "",
                                 rate.offset, rises);
        low += fmt::format("{}{} = 1'b0;\n", low.empty() ? "            #5 " : "            ",
                           ports.clock);
    }
    const std::string before = fmt::format(
        "        repeat ({}) begin // so many edges with {} before cycle 0\n            #5 {}{}"
        "        end\n",
        exported.reset_cycles, exported.clocks.size() == 1 ? "rst" : "the resets", high, low);
    return bench_begin(exported, cycles) +
           fmt::format("        failed = 1'b0;\n{4}{0}{3}{5}"
                       "        for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin\n{1}"
                       "            #5; // everything settles\n{2}"
                       "{6}{7}        end\n"
                       "        if (failed)\n            $display(\"FAIL\");\n        else\n"
                       "            $display(\"PASS: %0d cycles\", cycles);\n        $finish;\n"
                       "    end\nendmodule\n",
                       reset, drive, compare, before, begin, end, edges, low);
}

} // namespace sme::hdl
