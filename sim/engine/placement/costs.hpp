// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cycle/schedule.hpp"
#include "engine/threads/cycle_sampler.hpp"
#include "network/graph.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// The chunks of a schedule and the item that each belongs to, in the order of the schedule.
struct ChunkTable {
    std::vector<Chunk> chunks;
    std::vector<std::uint32_t> items;
};

/// What the instances of each item of a schedule cost, as measured so far, and the chunks made of
/// them.
class Costs {
public:
    /// Both must outlive it.
    Costs(const Graph& graph, const Schedule& schedule);

    /// Nothing of what was measured holds any more.
    void forget();
    /// Takes what was measured; pieces that were too short or too long to be timed well change
    /// their size.
    void learn(const CycleSampler::Event& event);
    /// Tells differences from noise: what is near the median of its item costs as much as that.
    /// Called when all was taken that was measured.
    void settle();
    /// How many instances of each item are timed together.
    const std::vector<std::uint64_t>& pieces() const { return pieces_; }

    /// The fewest instances whose outputs fill whole cache lines, or about a microsecond of work,
    /// whichever is fewer; a few thousand chunks an item at most.
    ChunkTable chunks() const;
    /// More than this are never made.
    std::uint64_t max_chunks() const;
    /// Gives the same chunks the costs that are known now.
    void update(ChunkTable& table) const;

    /// Of a range of an item.
    double of(std::uint32_t item, Range range) const;
    double of_item(std::uint32_t item) const {
        return of(item, {schedule_.items[item].range.first, schedule_.items[item].range.count});
    }

private:
    /// Neighbouring instances with one measure.
    struct ItemCosts {
        std::uint64_t cell = 1;  // instances
        std::uint64_t line = 1;  // instances that fill whole cache lines
        std::vector<float> each; // ns of one instance, for each cell
        float median = 0;        // of these
        unsigned measures = 0;   // of all of it; 2 stands for more
        bool settled = false;    // the median is that of what was measured
        float of_cell(std::size_t cell) const;
    };
    const Schedule& schedule_;
    std::vector<ItemCosts> items_;
    std::vector<std::uint64_t> pieces_;
};

} // namespace sme::engine
