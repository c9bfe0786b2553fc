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
    ClockPeriod result{picoseconds, TimeUnit::picoseconds};
    for (const TimeUnit unit :
         {TimeUnit::nanoseconds, TimeUnit::microseconds, TimeUnit::milliseconds})
        if (result.count % 1000 == 0)
            result = {result.count / 1000, unit};
        else
            break;
    return result;
}

Timescale Timescale::of(const ClockPeriod& period) {
    const auto unit = static_cast<std::size_t>(period.unit);
    Timescale result;
    if (period.count == 0)
        result.problem = "the clock period is zero";
    else if (period.count % 2 == 0 && period.count <= max_ticks)
        result = {fmt::format("1 {}", unit_names[unit]), period.count, {}};
    else if (period.count > max_ticks / 10)
        result.problem = fmt::format("a clock period of {} {} is too long for a trace",
                                     period.count, unit_names[unit]);
    else if (period.unit == TimeUnit::femtoseconds)
        result.problem =
            fmt::format("a clock period of {} fs has no half in whole femtoseconds", period.count);
    else
        result = {fmt::format("100 {}", unit_names[unit + 1]), period.count * 10, {}};
    return result;
}

std::uint64_t Timescale::last_cycle() const {
    return max_ticks / period_ticks;
}

} // namespace sme::trace
