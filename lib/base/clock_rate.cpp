// SPDX-License-Identifier: Apache-2.0
#include "base/clock_rate.hpp"

#include <charconv>

#include <fmt/format.h>

namespace sme {

std::string ClockRate::problem() const {
    if (every == 0)
        return "a clock has an edge every 1 or more cycles, but this is every 0";
    if (offset >= every)
        return fmt::format("the offset of a clock is below its period, but {} is not below {}; "
                           "write 'every {} offset {}'",
                           offset, every, every, offset % every);
    return {};
}

std::string ClockRate::text() const {
    return offset == 0 ? fmt::format("every {}", every)
                       : fmt::format("every {} offset {}", every, offset);
}

std::optional<ClockRate> ClockRate::parse(std::string_view text) {
    const auto number = [&](std::string_view word, std::uint64_t& into) {
        if (!text.starts_with(word))
            return false;
        text.remove_prefix(word.size());
        const auto end = std::from_chars(text.data(), text.data() + text.size(), into);
        text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
        return end.ec == std::errc{};
    };
    ClockRate result;
    if (!number("every ", result.every) || (!text.empty() && !number(" offset ", result.offset)) ||
        !text.empty())
        return std::nullopt;
    return result;
}

} // namespace sme
