// SPDX-License-Identifier: Apache-2.0
#include "trace/names/vcd_time.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

namespace sme::trace {

namespace {

constexpr std::array unit_names{"s", "ms", "us", "ns", "ps", "fs"};
constexpr auto max_ticks = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

} // namespace

ClockPeriod ClockPeriod::of(std::uint64_t picoseconds) {
    ClockPeriod made{picoseconds, TimeUnit::picoseconds};
    for (const TimeUnit unit :
         {TimeUnit::nanoseconds, TimeUnit::microseconds, TimeUnit::milliseconds})
        if (made.count % 1000 == 0)
            made = {made.count / 1000, unit};
        else
            break;
    return made;
}

Timescale Timescale::of(const ClockPeriod& period) {
    const auto unit = static_cast<std::size_t>(period.unit);
    Timescale made;
    if (period.count == 0)
        made.problem = "the clock period is zero";
    else if (period.count % 2 == 0 && period.count <= max_ticks)
        made = {fmt::format("1 {}", unit_names[unit]), period.count, {}};
    else if (period.count > max_ticks / 10)
        made.problem = fmt::format("a clock period of {} {} is too long for a trace", period.count,
                                   unit_names[unit]);
    else if (period.unit == TimeUnit::femtoseconds)
        made.problem =
            fmt::format("a clock period of {} fs has no half in whole femtoseconds", period.count);
    else
        made = {fmt::format("100 {}", unit_names[unit + 1]), period.count * 10, {}};
    return made;
}

std::uint64_t Timescale::last_cycle() const {
    return max_ticks / period_ticks;
}

} // namespace sme::trace
