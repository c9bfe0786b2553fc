// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/graph.hpp"

namespace sme {

/// The writer of every bus element, as runs of elements that consecutive instances write.
class Writers {
public:
    struct Run {
        std::uint64_t first; // element
        std::uint64_t count;
        std::uint32_t family;
        std::uint32_t port;
        std::uint64_t instance; // of the first element; the next element has the next instance
        std::uint64_t end() const { return first + count; }
    };

    /// Reports buses with two writers. Every binding must be to a bus of the graph.
    static Writers of(const Graph& graph, Diagnostics& diagnostics);

    /// The run that holds an element, or null when no process writes it.
    const Run* find(std::uint64_t element) const;

    /// The first element among `segment`'s values that no process writes; −1 when there is none.
    std::int64_t first_unwritten(const Segment& segment) const;

    const std::vector<Run>& runs() const { return runs_; }

private:
    std::vector<Run> runs_;
};

} // namespace sme
