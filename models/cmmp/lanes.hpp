// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "machine.hpp"

namespace models::cmmp {

/// Draws the activities of each processor in the first `cycles` as an SVG: one lane each, as the
/// tracer of C.mmp drew them.
template <class Work> std::string lanes(Machine<Work>& machine, std::uint64_t cycles) {
    constexpr std::array<std::string_view, 7> names{
        "idle", "asks the page", "computes", "spins", "P", "V", "interrupted"};
    constexpr std::array<std::string_view, 7> colours{"#eeeeee", "#222222", "#4878a8", "#e8b060",
                                                      "#b05868", "#58a068", "#8858a8"};
    constexpr double left = 70;
    constexpr double width = 900;
    constexpr double lane = 24;
    const double bottom = lane * static_cast<double>(machine.places().size()) + 30;
    const double scale = width / static_cast<double>(cycles);
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" "
                                  "height=\"{0}\" viewBox=\"0 0 1000 {0}\" font-family="
                                  "\"sans-serif\" font-size=\"12\">\n<rect width=\"1000\" "
                                  "height=\"{0}\" fill=\"#fff\"/>\n",
                                  bottom + 50);
    for (std::size_t k = 0; k < machine.places().size(); ++k) {
        const double top = 30 + lane * static_cast<double>(k);
        svg += fmt::format("<text x=\"8\" y=\"{}\">Pc[{}]</text>\n", top + 15,
                           machine.places()[k].processor);
        const auto& spans = machine.processor(k).spans;
        for (std::size_t s = 0; s < spans.size() && spans[s].from < cycles; ++s) {
            const std::uint64_t to = s + 1 < spans.size() ? spans[s + 1].from : cycles;
            svg += fmt::format("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" "
                               "fill=\"{}\"/>\n",
                               left + static_cast<double>(spans[s].from) * scale, top,
                               static_cast<double>(std::min(to, cycles) - spans[s].from) * scale,
                               lane - 4, colours[static_cast<std::size_t>(spans[s].activity)]);
        }
    }
    for (std::uint64_t k = 0; k <= 4; ++k)
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.1f} ms</text>\n",
                           left + width * static_cast<double>(k) / 4, bottom + 16,
                           static_cast<double>(cycles * cycle_us * k) / 4000);
    for (std::size_t k = 0; k < names.size(); ++k)
        svg += fmt::format("<rect x=\"{0}\" y=\"{1}\" width=\"12\" height=\"12\" fill=\"{2}\"/>"
                           "<text x=\"{3}\" y=\"{4}\">{5}</text>\n",
                           left + 130 * static_cast<double>(k), bottom + 26, colours[k],
                           left + 130 * static_cast<double>(k) + 17, bottom + 37, names[k]);
    return svg + "</svg>\n";
}

} // namespace models::cmmp
