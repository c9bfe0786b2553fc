// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sme {

/// A run of indices with an affine map: value(i) = offset + (i − first) · stride.
struct Segment {
    std::uint64_t first;
    std::uint64_t count;
    std::int64_t offset;
    std::int64_t stride;

    std::int64_t at(std::uint64_t index) const {
        return offset + static_cast<std::int64_t>(index - first) * stride;
    }
    std::uint64_t end() const { return first + count; }
    bool operator==(const Segment&) const = default;
};

/// A piecewise affine map from indices 0 … size() − 1 to integers. It stores the bindings, slots
/// and orders of whole families. A regular family needs a few segments regardless of its size; an
/// irregular one needs a segment per run.
class Segments {
public:
    Segments() = default;

    /// value(i) = offset + i · stride for i < count.
    static Segments affine(std::uint64_t count, std::int64_t offset, std::int64_t stride);
    static Segments identity(std::uint64_t count) { return affine(count, 0, 1); }

    /// Appends values for the next `count` indices; joins them to the last run if possible.
    void append(std::uint64_t count, std::int64_t offset, std::int64_t stride);
    void append(std::int64_t value) { append(1, value, 0); }

    std::uint64_t size() const { return runs_.empty() ? 0 : runs_.back().end(); }
    bool empty() const { return runs_.empty(); }
    const std::vector<Segment>& runs() const { return runs_; }

    /// Returns the value at an index below size(); O(log runs).
    std::int64_t at(std::uint64_t index) const { return runs_[run_of(index)].at(index); }
    /// Returns the position in runs() of the run that contains an index below size().
    std::size_t run_of(std::uint64_t index) const;

    /// Returns the first index with a value; size() if there is no such index.
    std::uint64_t index_of(std::int64_t value) const;

    /// Returns the map i → outer(this(i)). Every value of this map must be an index of `outer`.
    Segments then(const Segments& outer) const;

    bool is_identity() const;

private:
    std::vector<Segment> runs_;
};

/// Visits the runs of `map` that cover [first, first + count), clipped to it.
template <class Visit>
void for_each_run(const Segments& map, std::uint64_t first, std::uint64_t count, Visit visit) {
    const std::uint64_t end = first + count;
    for (std::size_t k = count ? map.run_of(first) : map.runs().size();
         k < map.runs().size() && map.runs()[k].first < end; ++k) {
        const Segment& run = map.runs()[k];
        const std::uint64_t from = run.first > first ? run.first : first;
        const std::uint64_t to = run.end() < end ? run.end() : end;
        visit(Segment{from, to - from, run.at(from), run.stride});
    }
}

} // namespace sme
