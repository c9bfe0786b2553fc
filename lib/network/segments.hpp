// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sme {

/// A run of indices whose values lie on a line: value(i) = offset + (i − first) · stride.
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

/// A piecewise affine map from indices 0 … size() − 1 to integers: how bindings, slots and orders
/// of whole families are stored. A regular family takes a few segments whatever its size; an
/// irregular one takes a segment for each run.
class Segments {
public:
    Segments() = default;

    /// value(i) = offset + i · stride for i < count.
    static Segments affine(std::uint64_t count, std::int64_t offset, std::int64_t stride);
    static Segments identity(std::uint64_t count) { return affine(count, 0, 1); }

    /// Appends values for the next `count` indices, joining them to the last run where they fit.
    void append(std::uint64_t count, std::int64_t offset, std::int64_t stride);
    void append(std::int64_t value) { append(1, value, 0); }

    std::uint64_t size() const { return runs_.empty() ? 0 : runs_.back().end(); }
    bool empty() const { return runs_.empty(); }
    const std::vector<Segment>& runs() const { return runs_; }

    /// The value at an index below size(); O(log runs).
    std::int64_t at(std::uint64_t index) const { return runs_[run_of(index)].at(index); }
    /// The position in runs() of the run that holds an index below size().
    std::size_t run_of(std::uint64_t index) const;

    /// i → outer(this(i)). Every value of this map is an index of `outer`.
    Segments then(const Segments& outer) const;

    bool is_identity() const;

private:
    std::vector<Segment> runs_;
};

/// The runs of `map` that cover [first, first + count), cut to it.
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
