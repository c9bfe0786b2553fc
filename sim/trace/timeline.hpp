// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/files.hpp"

namespace sme::trace {

/// What a thread did between two times.
struct TimelineEvent {
    unsigned thread;
    std::string name; // "node[0..499]", "wait"
    bool waits;
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::uint64_t cycle;
    std::uint32_t level;
};

/// Writes a time line in Chrome's trace format (chrome://tracing, Perfetto): a row for each thread,
/// times in microseconds from the first event, and commits the file, which may be good or not.
void write_timeline(OutputFile& file, const std::string& network,
                    const std::vector<TimelineEvent>& events);

} // namespace sme::trace
