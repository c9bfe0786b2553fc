// SPDX-License-Identifier: Apache-2.0
#include "export/board.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

const std::vector<Board>& boards() {
    static const std::vector<Board> all{
        {"icebreaker",
         "iCEBreaker 1.0, iCE40UP5K-SG48",
         "ice40",
         {"--up5k", "--package", "sg48"},
         "35",
         12,
         {{"UART, to the FPGA", "6"},
          {"UART, from the FPGA", "9"},
          {"button, low when pressed", "10"},
          {"red LED, lit when low", "11"},
          {"green LED, lit when low", "37"}}},
        {"icestick",
         "iCEstick, iCE40HX1K-TQ144",
         "ice40",
         {"--hx1k", "--package", "tq144"},
         "21",
         12,
         {{"UART, to the FPGA", "9"}, {"UART, from the FPGA", "8"}, {"LED", "99"}}},
        {"hx8k",
         "iCE40-HX8K breakout board, iCE40HX8K-CT256",
         "ice40",
         {"--hx8k", "--package", "ct256"},
         "J3",
         12,
         {{"UART, to the FPGA", "B10"}, {"UART, from the FPGA", "B12"}, {"LED", "B5"}}},
        {"ulx3s",
         "ULX3S, LFE5U-25F-CABGA381",
         "ecp5",
         {"--25k", "--package", "CABGA381"},
         "G2",
         25,
         {{"UART, to the FPGA", "M1"}, {"UART, from the FPGA", "L4"}, {"LED", "B2"}}},
        {"ecp5_evn",
         "ECP5 evaluation board, LFE5UM5G-85F-CABGA381",
         "ecp5",
         {"--um5g-85k", "--package", "CABGA381"},
         "A10",
         12,
         {{"LED, lit when low", "A13"}}},
    };
    return all;
}

const Board* find_board(std::string_view name) {
    const auto found = std::find_if(boards().begin(), boards().end(),
                                    [&](const Board& board) { return board.name == name; });
    return found == boards().end() ? nullptr : &*found;
}

std::string board_top(const Exported& exported, const Board& board) {
    return fmt::format("{}_{}", exported.top, board.name);
}

namespace {

/// Returns the commands that build a bitstream.
std::string commands(const Exported& exported, const Board& board) {
    const std::string top = board_top(exported, board);
    return fmt::format(
        "//     yosys -p \"read_verilog $(cat files.f | tr '\\n' ' ') {0}.v; synth_{1} "
        "-top {0} -json {0}.json\"\n"
        "//     nextpnr-{1} {2} --freq {3} --json {0}.json --{4} {0}.{4} {5}\n"
        "//     {6}\n",
        top, board.family, fmt::join(board.device, " "), board.clock_mhz, board.constraints(),
        board.is_ice40() ? fmt::format("--asc {}.asc", top)
                         : fmt::format("--textcfg {}.config", top),
        board.is_ice40() ? fmt::format("icepack {0}.asc {0}.bin", top)
                         : fmt::format("ecppack {0}.config {0}.bit", top));
}

/// The ports other than the clock, and the connections of the design.
struct WrapperPorts {
    explicit WrapperPorts(const Exported& exported) {
        for (const Watched& port : exported.inputs)
            add(port, "input");
        for (const Watched& port : exported.outputs)
            add(port, "output");
    }
    void add(const Watched& port, const char* direction) {
        declared +=
            fmt::format(",\n    {} wire {}{}", direction, rtl::range_of(port.width), port.path);
        connected += fmt::format(",\n        .{0}({0})", port.path);
        for (std::string* const own : {&count, &inside})
            if (port.path == *own)
                *own += "_";
    }

    std::string declared, connected;
    std::string count = "edges", inside = "unit"; // names
};

/// Returns the text for a design with one clock, the board's own.
std::string reset(const Exported& exported, const std::string& count) {
    const unsigned edges = std::max(exported.reset_cycles, 15U);
    const auto width = static_cast<unsigned>(std::bit_width(edges));
    const auto literal = [&](unsigned value) {
        return rtl::verilog(rtl::literal(static_cast<Integer>(value), width));
    };
    return fmt::format(
        "    // rst ends {0} edges after the FPGA is configured\n"
        "    reg [{1}:0] {2};\n    initial {2} = {3};\n    wire rst = {2} != {4};\n\n"
        "    always @(posedge clk)\n        if (rst)\n"
        "            {2} <= {2} + {5};\n\n",
        edges, width - 1, count, literal(0), literal(edges), literal(1));
}

std::string wrapper(const Exported& exported, const Board& board) {
    const WrapperPorts ports{exported};
    const bool one_clock = exported.clocks.size() == 1;
    const BoardClocks clocks{exported, board};
    return fmt::format(
        "// '{0}' on the board {1}. Edit this file: keep the ports that have pins, and connect "
        "the\n"
        "// rest here. Pins are in {2}.{3}. A bitstream is made by\n{4}"
        "`default_nettype none\n\nmodule {2} (\n    input wire clk{5}\n);\n{6}"
        "    {0}{7} {8} (\n{9}{10}\n    );\nendmodule\n",
        exported.top, board.title, board_top(exported, board), board.constraints(),
        commands(exported, board), ports.declared,
        one_clock ? reset(exported, ports.count) : clocks.text(), rtl::verilog(exported.parameters),
        ports.inside, one_clock ? "        .clk(clk),\n        .rst(rst)" : clocks.connections(),
        ports.connected);
}

std::string constraints(const Exported& exported, const Board& board) {
    const auto pin = [&](const std::string& name, const std::string& context) {
        return board.is_ice40()
                   ? fmt::format("set_io {} {}\n", name, context)
                   : fmt::format("LOCATE COMP \"{0}\" SITE \"{1}\";\nIOBUF PORT \"{0}\" "
                                 "IO_TYPE=LVCMOS33;\n",
                                 name, context);
    };
    std::string text = fmt::format("# {}, {} MHz\n", board.title, board.clock_mhz);
    text += board.is_ice40() ? pin("clk", board.clock_pin)
                             : pin("clk", board.clock_pin) +
                                   fmt::format("FREQUENCY PORT \"clk\" {} MHZ;\n", board.clock_mhz);
    if (exported.clocks.size() > 1)
        text += BoardClocks{exported, board}.constraints();
    text += "\n# Pins of the board:\n";
    for (const auto& [what, context] : board.pins)
        text += fmt::format("#   {:<5} {}\n", context, what);
    text += "\n# A line for each bit of a port, such as:\n";
    std::string example = "led";
    for (const auto* ports : {&exported.outputs, &exported.inputs})
        for (const Watched& port : *ports)
            example = port.width == 1 ? port.path : port.path + "[0]";
    const std::string line = pin(example, board.pins.back().second);
    return text + "# " + line.substr(0, line.find('\n')) + "\n";
}

} // namespace

std::vector<ExportedFile> board_files(const Exported& exported, const Board& board) {
    const std::string top = board_top(exported, board);
    return {{top + ".v", wrapper(exported, board)},
            {top + "." + board.constraints(), constraints(exported, board)}};
}

namespace {

std::string literal(std::uint64_t value, unsigned width) {
    return rtl::verilog(rtl::literal(static_cast<Integer>(value), width));
}

unsigned width_for(std::uint64_t most) {
    return std::max(1U, static_cast<unsigned>(std::bit_width(most)));
}

} // namespace

BoardClocks::BoardClocks(const Exported& exported, const Board& board)
    : exported_{exported}, board_{board}, taken_{"clk"} {
    for (const auto* ports : {&exported.inputs, &exported.outputs})
        for (const Watched& port : *ports)
            taken_.push_back(port.path);
    rst_ = name_for("rst");
    cycles_ = name_for("cycles");
    ends_ = name_for("cycle_ends");
    for (const ExportedClock& each : exported.clocks) {
        Clock result{name_for(each.ports.clock), {}, {}, each.ports.reset, each.rate};
        result.made = board.is_ice40() ? name_for(result.name + "_made") : result.name;
        if (!each.rate.is_every_cycle())
            result.phase = name_for(result.name + "_phase");
        clocks_.push_back(std::move(result));
    }
}

std::string BoardClocks::name_for(const std::string& wanted) {
    std::string name = wanted;
    while (std::find(taken_.begin(), taken_.end(), name) != taken_.end())
        name += "_";
    taken_.push_back(name);
    return name;
}

std::string BoardClocks::declarations(const Clock& clock) const {
    std::string result =
        fmt::format("    reg {0}; // rises {1}\n    initial {0} = 1'b0;\n", clock.made,
                    clock.phase.empty() ? "in every cycle" : clock.rate.text());
    if (clock.phase.empty())
        return result;
    const unsigned width = width_for(clock.rate.every - 1);
    return result + fmt::format("    reg {0}{1};\n    initial {1} = {2};\n", rtl::range_of(width),
                                clock.phase, literal(0, width));
}

std::string BoardClocks::steps(const Clock& clock) const {
    if (clock.phase.empty())
        return {};
    const unsigned width = width_for(clock.rate.every - 1);
    return fmt::format("            {0} <= {1} || {0} == {2} ? {3} : {0} + {4};\n", clock.phase,
                       rst_, literal(clock.rate.every - 1, width), literal(0, width),
                       literal(1, width));
}

/// Returns the buffer of a clock. iCE40 routes a buffered clock on a global net; for ECP5, nextpnr
/// recognizes clocks itself.
std::string BoardClocks::buffer(const Clock& clock) const {
    return board_.is_ice40() ? fmt::format("    wire {0};\n    SB_GB {0}_buffer (\n"
                                           "        .USER_SIGNAL_TO_GLOBAL_BUFFER({1}),\n"
                                           "        .GLOBAL_BUFFER_OUTPUT({0})\n    );\n",
                                           clock.name, clock.made)
                             : std::string{};
}

std::string BoardClocks::text() const {
    const std::uint64_t edges = std::max(exported_.reset_cycles, 15U);
    const unsigned width = width_for(edges + 1);
    std::string text = fmt::format(
        "    // A cycle is two edges of clk. At its end those clocks rise that do in the network; "
        "{0} ends\n    // in its middle, after {1} edges of each clock.\n"
        "    reg {2};\n    initial {2} = 1'b0;\n    reg {3}{4};\n    initial {4} = {5};\n"
        "    wire {0} = {4} != {6};\n",
        rst_, edges, ends_, rtl::range_of(width), cycles_, literal(0, width),
        literal(edges + 1, width));
    std::string rise, step;
    for (const Clock& clock : clocks_) {
        text += declarations(clock);
        rise += clock.phase.empty()
                    ? fmt::format("        {} <= {};\n", clock.made, ends_)
                    : fmt::format("        {} <= {} && ({} || {} == {});\n", clock.made, ends_,
                                  rst_, clock.phase,
                                  literal(clock.rate.offset, width_for(clock.rate.every - 1)));
        step += steps(clock);
    }
    text += fmt::format("\n    always @(posedge clk) begin\n        {0} <= !{0};\n{1}"
                        "        if (!{0}) begin\n            if ({2})\n"
                        "                {3} <= {3} + {4};\n{5}        end\n    end\n\n",
                        ends_, rise, rst_, cycles_, literal(1, width), step);
    for (const Clock& clock : clocks_)
        text += buffer(clock);
    return text + (board_.is_ice40() ? "\n" : "");
}

std::string BoardClocks::connections() const {
    std::string result;
    for (std::size_t k = 0; k < clocks_.size(); ++k)
        result +=
            fmt::format("{}        .{}({}),\n        .{}({})", k == 0 ? "" : ",\n",
                        exported_.clocks[k].ports.clock, clocks_[k].name, clocks_[k].reset, rst_);
    return result;
}

std::string BoardClocks::speed(const std::string& net, double mhz) const {
    const double shown = std::ceil(mhz * 1000) / 1000; // rounded up, so never slower than the clock
    return board_.is_ice40() ? fmt::format("set_frequency {} {:g}\n", net, shown)
                             : fmt::format("FREQUENCY NET \"{}\" {:g} MHZ;\n", net, shown);
}

std::string BoardClocks::constraints() const {
    std::string result = board_.is_ice40() ? speed("clk", board_.clock_mhz) : "";
    for (const Clock& clock : clocks_)
        result += speed(clock.name, board_.clock_mhz / 2.0 / static_cast<double>(clock.rate.every));
    return result;
}

} // namespace sme::hdl
