// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/build.hpp"

namespace sme {

/// Initialises the output slots of ranges of a group, the first duty of its step: zero, or for
/// `hold` the current value.
class Outputs {
public:
    explicit Outputs(const Build& build);

    /// Initialises the slots that `part` writes for a range.
    void prepare(unsigned part, Range range, const Frame& frame) const;

private:
    /// Consecutive positions with consecutive slots.
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
        std::uint64_t offset;
        std::uint32_t slot_bytes;
        bool hold;
        std::uint32_t value_bytes; // bytes before the marks; the slot's size without marks
        std::uint64_t end() const { return first + count; }
    };
    using PortRuns = std::vector<Run>; // ordered by position

    static PortRuns runs_of(const Build& build, std::uint32_t port);
    static void append(const Run& run, PortRuns& runs);

    std::vector<std::vector<PortRuns>> parts_;
};

} // namespace sme
