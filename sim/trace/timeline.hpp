// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/files.hpp"

namespace sme::trace {

/// The activity of a thread in an interval.
struct TimelineEvent {
    unsigned thread;
    std::string name; // "node[0..499]", "wait"
    bool waits;
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::uint64_t cycle;
    std::uint32_t level;
};

/// Writes a time line in Chrome's trace format (chrome://tracing, Perfetto): a row per thread,
/// times in microseconds from the first event. Commits the file, whether or not writing succeeds.
void write_timeline(OutputFile& file, const std::string& network,
                    const std::vector<TimelineEvent>& events);

} // namespace sme::trace
