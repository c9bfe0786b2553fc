// SPDX-License-Identifier: Apache-2.0
#include "export/board_clocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "export/rtl/verilog.hpp"

namespace sme::hdl {

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
        Clock made{name_for(each.ports.clock), {}, {}, each.ports.reset, each.rate};
        made.made = board.is_ice40() ? name_for(made.name + "_made") : made.name;
        if (!each.rate.is_every_cycle())
            made.phase = name_for(made.name + "_phase");
        clocks_.push_back(std::move(made));
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
    const std::string made =
        fmt::format("    reg {0}; // rises {1}\n    initial {0} = 1'b0;\n", clock.made,
                    clock.phase.empty() ? "in every cycle" : clock.rate.text());
    if (clock.phase.empty())
        return made;
    const unsigned width = width_for(clock.rate.every - 1);
    return made + fmt::format("    reg {0}{1};\n    initial {1} = {2};\n", rtl::range_of(width),
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
    std::string made;
    for (std::size_t k = 0; k < clocks_.size(); ++k)
        made +=
            fmt::format("{}        .{}({}),\n        .{}({})", k == 0 ? "" : ",\n",
                        exported_.clocks[k].ports.clock, clocks_[k].name, clocks_[k].reset, rst_);
    return made;
}

std::string BoardClocks::speed(const std::string& net, double mhz) const {
    const double shown = std::ceil(mhz * 1000) / 1000; // rounded up, so never slower than the clock
    return board_.is_ice40() ? fmt::format("set_frequency {} {:g}\n", net, shown)
                             : fmt::format("FREQUENCY NET \"{}\" {:g} MHZ;\n", net, shown);
}

std::string BoardClocks::constraints() const {
    std::string made = board_.is_ice40() ? speed("clk", board_.clock_mhz) : "";
    for (const Clock& clock : clocks_)
        made += speed(clock.name, board_.clock_mhz / 2.0 / static_cast<double>(clock.rate.every));
    return made;
}

} // namespace sme::hdl
