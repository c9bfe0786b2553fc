// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "trace/collect/change_finder.hpp"
#include "trace/collect/chunk_ring.hpp"

namespace sme::trace {

/// A growing list of records in memory.
class RecordList final : public RecordSink {
public:
    std::span<const Record> records() const { return {begin_, next_}; }
    void clear() { next_ = begin_; }

private:
    void make_room() override;
    std::unique_ptr<Record[]> memory_;
};

/// Keeps the changes of the last cycles in memory.
///
/// The run is divided into stretches, each a quarter of the number of cycles to keep. A stretch
/// holds a copy of all values at its start, followed by its changes. `take` drops the oldest
/// stretch when the others hold enough cycles. Thus a cycle costs only the search for its changes;
/// memory holds at most six copies of all values and the changes of 1.25 times the cycles to keep.
class LastCycles {
public:
    explicit LastCycles(std::uint64_t cycles)
        : cycles_{cycles}, stretch_{std::max<std::uint64_t>(cycles / 4, 1)} {}

    /// Finds the changes of a cycle. Call it for each cycle, in order.
    void take(const Frame& frame, ChangeFinder& finder);

    /// Returns the records of the last cycles; the first cycle has all values. `ran`: the number of
    /// cycles that ran. Empty before the first `take`.
    std::vector<Record> records(std::uint64_t ran, const ChangeFinder& finder) const;
    /// The first of these cycles.
    std::uint64_t first(std::uint64_t ran) const;
    std::uint64_t changes() const { return changes_; }

private:
    struct Stretch {
        std::uint64_t first = 0; // the cycle whose values the copy holds
        std::vector<std::byte> values{};
        bool wires = true; // wires had values in that cycle
        RecordList changes{};
    };

    std::uint64_t cycles_;
    std::uint64_t stretch_;
    std::deque<std::unique_ptr<Stretch>> stretches_;
    std::uint64_t changes_ = 0;
};

} // namespace sme::trace
