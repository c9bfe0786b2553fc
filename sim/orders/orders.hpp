// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "network/graph.hpp"
#include "runtime/observer.hpp"
#include "sme/compare.hpp"
#include "sme/simulator.hpp"

namespace sme::orders {

/// Records the values read from every bus in the last cycles of a run, and finds where two runs of
/// one network differ.
class SlotTape final : public Observer {
public:
    /// Discards all but the cycles from `cycle` on.
    void begin(std::uint64_t cycle);
    std::size_t row_bytes() const { return row_bytes_; }

    struct Place {
        std::uint64_t cycle;
        std::uint64_t element;
    };
    /// The first element in the first cycle that differs; both tapes must hold the same cycles.
    std::optional<Place> first_difference(const SlotTape& other) const;
    /// The value of an element in a recorded cycle.
    const std::byte* value(const Place& place) const;

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t) override {}

private:
    /// Consecutive elements of a family with consecutive slots.
    struct Run {
        std::uint64_t element;
        std::uint64_t count;
        std::int64_t offset;
        std::int64_t stride;
        std::size_t bytes; // of a value
        bool wire;
        std::size_t at; // in a row
    };

    std::vector<Run> runs_;
    std::size_t row_bytes_ = 0;
    std::vector<std::byte> rows_kept_;
    std::size_t rows_ = 0;
    std::uint64_t first_cycle_ = 0;
};

struct Wishes {
    std::uint64_t cycles = 1;
    unsigned orders = 20;
    std::uint64_t seed = 0; // of the network's random values and of the orders
    unsigned threads = 0;   // the maximum; 0: three, but no more than the usable CPUs
    const std::atomic<bool>* interrupt = nullptr;
    /// Called repeatedly with the current order, from 0 on, and its number of completed cycles.
    std::function<void(unsigned order, std::uint64_t cycle)> progress = {};
};

/// The result.
struct Report {
    unsigned orders = 0;      // number run
    std::uint64_t cycles = 0; // of each
    std::uint64_t buses = 0;
    unsigned threads = 1; // the most in any order
    std::optional<OrderDifference> difference;
};

/// The options of order `order` of a series, with one to `threads` threads.
SimulatorOptions order_of(unsigned order, std::uint64_t seed, unsigned threads);

/// Runs the network, without its observers, in `wishes.orders` orders, each beside the source
/// order. The graph must have been analysed without errors.
Report compare(const Graph& graph, const Wishes& wishes);

} // namespace sme::orders
