// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/slots/layout.hpp"
#include "engine/threads/cycle_sampler.hpp"
#include "network/graph.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// The chunks of a schedule, in its order, and the item of each.
struct ChunkTable {
    std::vector<Chunk> chunks;
    std::vector<std::uint32_t> items;
};

/// The measured costs of the instances of each item of a schedule, and the chunks derived from
/// them.
class Costs {
public:
    /// Both arguments must outlive the object.
    Costs(const Graph& graph, const Schedule& schedule);

    /// Discards all measurements.
    void forget();
    /// Adds a measurement. Pieces that were too short or too long to time well change their size.
    /// The time of a call that ran several items is divided by their operations.
    void learn(const CycleSampler::Event& event);
    /// Separates differences from noise: a cost near the median of its item becomes the median.
    /// Call it after all measurements are added.
    void settle();
    /// The number of instances per item that are timed together.
    const std::vector<std::uint64_t>& pieces() const { return pieces_; }

    /// Builds chunks of the fewest instances whose outputs fill whole cache lines, or of about a
    /// microsecond of work, whichever is fewer; at most a few thousand chunks per item.
    ChunkTable chunks() const;
    /// Upper limit for the number of chunks.
    std::uint64_t max_chunks() const;
    /// Updates the costs of existing chunks.
    void update(ChunkTable& table) const;

    /// The cost of a range of an item.
    double of(std::uint32_t item, Range range) const;
    double of_item(std::uint32_t item) const {
        return of(item, {schedule_.items[item].range.first, schedule_.items[item].range.count});
    }

private:
    /// Neighbouring instances that share a measurement.
    struct ItemCosts {
        std::uint64_t cell = 1;  // instances per cell
        std::uint64_t line = 1;  // instances that fill whole cache lines
        double weight = 1;       // operations of all instances, a guess
        std::vector<float> each; // ns per instance, by cell
        float median = 0;        // of `each`
        unsigned measures = 0;   // complete passes so far; 2 means two or more
        bool settled = false;    // the median is that of the measurements
        float of_cell(std::size_t cell) const;
    };
    void note(std::uint32_t item, Range range, double each_ns);

    const Schedule& schedule_;
    std::vector<ItemCosts> items_;
    std::vector<std::uint64_t> pieces_;
};

} // namespace sme::engine
