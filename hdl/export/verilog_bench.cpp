// SPDX-License-Identifier: Apache-2.0
//
// The test bench in Verilog: it replays a run and compares every bus in every cycle.
#include "export/export.hpp"

#include <fmt/format.h>

#include "export/modules/module_text.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

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

/// Takes the names in a test bench that are not its own: ports and other modules.
void take_names_around(const Exported& exported, Names& names) {
    for (const ExportedClock& each : exported.clocks)
        for (const std::string& name : {each.ports.clock, each.ports.reset})
            names.take(name);
    for (const auto* ports : {&exported.inputs, &exported.outputs})
        for (const Watched& port : *ports)
            names.take(port.path);
    for (const auto* modules : {&exported.trees, &exported.foreign})
        for (const rtl::Module& module : *modules)
            names.take(module.name);
}

} // namespace

std::string bench_name(const Exported& exported) {
    Names names;
    take_names_around(exported, names);
    return names.take(exported.top + "_bench");
}

namespace {

/// Writes a test bench. The bench's own declarations never share a name with a port.
class Bench {
public:
    Bench(const Exported& exported, std::uint64_t cycles) : exported_{exported}, count_{cycles} {
        take_names_around(exported, names_);
        for (std::string* own : {&module_, &cycles_, &cycle_, &failed_, &dut_})
            *own = names_.take(*own);
        for (std::size_t k = 0; k < exported.inputs.size() + exported.watched.size(); ++k)
            values_.push_back(names_.take(fmt::format("values_{}", k)));
    }

    std::string write() const { return begin() + replay() + "endmodule\n"; }

private:
    /// Declares the signals, instantiates the network and reads the files.
    std::string begin() const {
        std::string text =
            fmt::format("// Replays a run of '{}' and compares all of its buses in every cycle.\n"
                        "`timescale 1ns / 1ps\n`default_nettype none\n\nmodule {};\n"
                        "    localparam integer {} = {};\n\n",
                        exported_.top, module_, cycles_, count_);
        std::string ports, reads;
        for (const ExportedClock& each : exported_.clocks)
            for (const std::string& name : {each.ports.clock, each.ports.reset}) {
                text += fmt::format("    reg {};\n", name);
                ports += fmt::format("{0}        .{1}({1})", ports.empty() ? "" : ",\n", name);
            }
        text += fmt::format("    integer {};\n    reg {};\n", cycle_, failed_);
        for (const auto* side : {&exported_.inputs, &exported_.outputs})
            for (const Watched& port : *side) {
                text += fmt::format("    {} {} {};\n", side == &exported_.inputs ? "reg" : "wire",
                                    vector_of(port.width), port.path);
                ports += fmt::format(",\n        .{0}({0})", port.path);
            }
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const Watched& watched = watched_at(exported_, k);
            text += fmt::format("    reg {} {} [0:{} - 1]; // {}\n", vector_of(watched.width),
                                values_[k], cycles_, watched.title);
            reads += fmt::format("        $readmemh(\"{}\", {});\n", value_file(exported_, k),
                                 values_[k]);
        }
        return text + fmt::format("\n    {}{} {} (\n{}\n    );\n\n    initial begin\n{}",
                                  exported_.top, rtl::verilog(exported_.parameters), dut_, ports,
                                  reads);
    }

    std::string drive() const {
        std::string text;
        for (std::size_t k = 0; k < exported_.inputs.size(); ++k)
            text += fmt::format("            {} = {}[{}];\n", exported_.inputs[k].path, values_[k],
                                cycle_);
        return text;
    }
    std::string drive_before() const {
        std::string text;
        for (const Watched& input : exported_.inputs)
            text += fmt::format("        {} = {};\n", input.path,
                                rtl::verilog(rtl::literal(input.before, input.width)));
        return text;
    }

    std::string compare(std::size_t k) const {
        const Watched& watched = exported_.watched[k];
        const bool is_inside = watched.path.starts_with("dut.");
        const std::string seen = is_inside ? dut_ + watched.path.substr(3) : watched.path;
        return fmt::format(
            "            if ({3}{0} !== {1}[{4}]) begin\n"
            "                if (!{5})\n"
            "                    $display(\"cycle %0d: {2} is %h, but was %h in the run\", {4},\n"
            "                             {0}, {1}[{4}]);\n"
            "                {5} = 1'b1;\n            end\n",
            seen, values_[exported_.inputs.size() + k], watched.title,
            watched.late == 0 ? "" : fmt::format("{} + {} < {} && ", cycle_, watched.late, cycles_),
            cycle_, failed_);
    }

    std::string replay() const {
        std::string compares, begin, end, high, low, edges;
        for (std::size_t k = 0; k < exported_.watched.size(); ++k)
            compares += compare(k);
        for (const auto& [ports, rate] : exported_.clocks) {
            begin +=
                fmt::format("        {} = 1'b0;\n        {} = 1'b1;\n", ports.clock, ports.reset);
            end += fmt::format("        {} = 1'b0;\n", ports.reset);
            const std::string rises = fmt::format("{} = 1'b1;\n", ports.clock);
            high += (high.empty() ? "" : "            ") + rises;
            if (rate.is_every_cycle())
                edges += "            " + rises;
            else if (rate.offset < integers)
                edges += fmt::format("            if ({}{} == {})\n                {}", cycle_,
                                     rate.every < integers ? fmt::format(" % {}", rate.every) : "",
                                     rate.offset, rises);
            low += fmt::format("{}{} = 1'b0;\n", low.empty() ? "            #5 " : "            ",
                               ports.clock);
        }
        const std::string before = fmt::format(
            "        repeat ({}) begin // so many edges with {} before cycle 0\n            #5 {}{}"
            "        end\n",
            exported_.reset_cycles, exported_.clocks.size() == 1 ? "rst" : "the resets", high, low);
        return fmt::format(
            "        {8} = 1'b0;\n{4}{0}{3}{5}"
            "        for ({9} = 0; {9} < {10}; {9} = {9} + 1) begin\n{1}"
            "            #5; // everything settles\n{2}"
            "{6}{7}        end\n"
            "        if ({8})\n            $display(\"FAIL\");\n        else\n"
            "            $display(\"PASS: %0d cycles\", {10});\n        $finish(0);\n"
            "    end\n",
            drive_before(), drive(), compares, before, begin, end, edges, low, failed_, cycle_,
            cycles_);
    }

    const Exported& exported_;
    std::uint64_t count_;
    Names names_;
    std::string module_ = exported_.top + "_bench", cycles_ = "cycles", cycle_ = "cycle",
                failed_ = "failed", dut_ = "dut";
    std::vector<std::string> values_;
};

} // namespace

std::string bench_text(const Exported& exported, std::uint64_t cycles) {
    return Bench{exported, cycles}.write();
}

} // namespace sme::hdl
