// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/build.hpp"

namespace sme {

/// Prepares the output slots of ranges of a group, as its step must do first: zero, or for `hold`
/// the value that is read.
class Outputs {
public:
    explicit Outputs(const Build& build);

    /// Prepares what `part` writes for a range.
    void prepare(unsigned part, Range range, const Frame& frame) const;

private:
    /// Consecutive positions with consecutive slots.
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
        std::uint64_t offset;
        std::uint32_t slot_bytes;
        bool hold;
        std::uint32_t value_bytes; // before the marks; as many as the slot's when it has none
        std::uint64_t end() const { return first + count; }
    };
    using PortRuns = std::vector<Run>; // in the order of positions

    static PortRuns runs_of(const Build& build, std::uint32_t port);
    static void append(const Run& run, PortRuns& runs);

    std::vector<std::vector<PortRuns>> parts_;
};

} // namespace sme
