// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/idle_processes.hpp"

#include <fmt/format.h>

namespace sme::fuzz {

void add_idle_processes(Maker& maker, Choices& choices, Home& home) {
    const std::string phase = maker.fresh("phase"), family = maker.fresh("idle");
    const unsigned phases = choices.between(2, 5), singles = choices.between(3, 16);
    append(home.bus_lines, {phase + ": u4", family + "[40]: hold u8"});
    append(home.process_lines,
           {maker.fresh("counts") + ":", "  out: " + phase, "  step:",
            fmt::format("    {0}: if {0} == {1} then 0 else {0} + 1", phase, phases - 1)});
    const std::string bus = maker.fresh("held");
    for (unsigned k = 0; k < singles; ++k) {
        const std::string when = fmt::format(" when {} == {}", phase, choices.below(2));
        home.bus_lines.push_back(fmt::format("{}_{}: hold u16", bus, k));
        append(home.process_lines,
               {fmt::format("{}_p{}:", bus, k),
                fmt::format("  in: {{a: {0}_{1}, b: {0}_{2}, {3}: {3}}}", bus,
                            choices.below(singles), choices.below(singles), phase),
                fmt::format("  out: {{y: {}_{}}}", bus, k),
                "  state:", fmt::format("    n: u16 = {}", k), "  step:", "    n: n * 3 + a" + when,
                fmt::format("    y: (b ^ n) + {}", k) + when});
    }
    append(home.process_lines,
           {fmt::format("{}_p[k < 40]:", family),
            fmt::format("  in: {{a: '{0}[(k + 7) % 40]', {1}: {1}}}", family, phase),
            fmt::format("  out: {{y: '{}[k]'}}", family), "  state:", "    m: u8[4]", "    c: u8",
            "  step:", fmt::format("    if {} == k % {}:", phase, phases + choices.below(3)),
            "      y: a + m[c[1:0]] + 1", "      c: c + (a & 1)", "      m[c[1:0]]: a when a[1]"});
}

} // namespace sme::fuzz
