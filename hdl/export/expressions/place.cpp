// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/place.hpp"

#include <bit>

#include <fmt/format.h>

namespace sme::hdl {

unsigned index_width(std::uint64_t count) {
    return count <= 2 ? 1 : static_cast<unsigned>(std::bit_width(count - 1));
}

std::string Place::text() const {
    std::string all = word.empty() ? name : fmt::format("{}[{}]", name, word);
    if (whole())
        return all;
    std::string at = moved;
    if (moved.empty()) {
        if (width == 1)
            return fmt::format("{}[{}]", all, low);
        return fmt::format("{}[{}:{}]", all, low + width - 1, low);
    }
    if (low != 0)
        at = fmt::format("{} + {}'d{}", at, index_width(total), low);
    return width == 1 ? fmt::format("{}[{}]", all, at)
                      : fmt::format("{}[{} +: {}]", all, at, width);
}

Place Place::part(std::uint64_t from, std::uint64_t bits) const {
    Place made = *this;
    made.low += from;
    made.width = bits;
    return made;
}

Place Place::moved_by(const std::string& by, std::uint64_t bits) const {
    Place made = *this;
    made.width = bits;
    const std::string step =
        bits == 1 ? by : fmt::format("{} * {}'d{}", by, index_width(total), bits);
    made.moved = moved.empty() ? step : fmt::format("{} + {}", moved, step);
    return made;
}

} // namespace sme::hdl
