// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/trouble_maker.hpp"

#include <fmt/format.h>

namespace sme::fuzz {

/// Returns the lines of a step that faults if an expression is 0.
Lines TroubleMaker::fault(const std::string& zero) const {
    switch (c_.below(5)) {
    case 0: return {fmt::format("    y: 1000 / u16({})", zero)};
    case 1: return {fmt::format("    y: u16(s) % u16({})", zero)};
    case 2: return {fmt::format("    y: t[if {} == 0 then 7 else s % 5]", zero)};
    case 3:
        return {"    y: t[4]", fmt::format("    t[(if {} == 0 then s else s + 1) % 5]: 2", zero)};
    default: return {"    y: t[s % 5]", fmt::format("    assert: {} != 0", zero)};
    }
}

void TroubleMaker::add(Home& home) {
    const std::string bus = m_.fresh("b"), name = m_.fresh("p"), index = m_.fresh("k");
    constexpr unsigned sizes[] = {1, 3, 40};
    const unsigned count = sizes[c_.below(3)], cycle = c_.below(cycles_);
    const unsigned kind = c_.below(10); // half of them fault, four in ten fail a check
    std::string zero = fmt::format("((s ^ {})", cycle);
    const unsigned who = c_.below(3); // all of them, the first, or the last
    zero += who == 0 ? ")"
                     : fmt::format(" + {})",
                                   who == 1 ? index : fmt::format("({} - {})", count - 1, index));
    home.bus_lines.push_back(
        fmt::format("{}[{}]: {}u16", bus, count, c_.chance(50) ? "wire " : ""));
    append(home.process_lines, {fmt::format("{}[{} < {}]:", name, index, count),
                                fmt::format("  out: {{y: \"{}[{}]\"}}", bus, index),
                                "  state:", "    s: u8", "    t: u16[5]", "  step:", "    s: s + 1",
                                fmt::format("    print: \"{{{}}} {{s}}\" when s % 3 == 1", index),
                                fmt::format("    t[s % 5]: u16(s) + {}", index)});
    if (kind < 5) {
        m_.use(Production::fault);
        append(home.process_lines, fault(zero));
    } else
        home.process_lines.push_back("    y: t[(s + 1) % 5]");
    if (kind == 5) {
        m_.use(Production::early_halt);
        home.process_lines.push_back(fmt::format("    halt: {} == 0", zero));
    }
    if (kind > 5)
        home.check_lines.push_back(
            fmt::format("- never: {}[{}].s == {}", name, c_.below(count), cycle));
    append(home.process_lines, {fmt::format("{}[{} < {}]:", m_.fresh("p"), index, count),
                                fmt::format("  in: {{x: \"{}[{}]\"}}", bus, index),
                                "  state: {sum: u16}", "  step:", "    sum: sum + x"});
}

} // namespace sme::fuzz
