// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/graph.hpp"

namespace sme {

/// The writer of every bus element, as runs of elements written by consecutive instances.
class Writers {
public:
    struct Run {
        std::uint64_t first; // element
        std::uint64_t count;
        std::uint32_t family;
        std::uint32_t port;
        // Of the first element; the next element belongs to the next instance.
        std::uint64_t instance;
        std::uint64_t end() const { return first + count; }
    };

    /// Reports buses with two writers. Every binding must refer to a bus of the graph.
    static Writers of(const Graph& graph, Diagnostics& diagnostics);

    /// Returns the run that contains an element, or null if no process writes it.
    const Run* find(std::uint64_t element) const;

    /// Returns the first element among `segment`'s values that no process writes; −1 if all are
    /// written.
    std::int64_t first_unwritten(const Segment& segment) const;

    const std::vector<Run>& runs() const { return runs_; }

private:
    std::vector<Run> runs_;
};

} // namespace sme
