// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "network/graph.hpp"
#include "sme/orders.hpp"

namespace sme::orders {

struct Wishes {
    std::uint64_t cycles = 1;
    unsigned orders = 20;
    std::uint64_t seed = 0; // of the network's random values; orders depend on it, too
    unsigned threads = 0;   // at most; 0: three, but no more than the CPUs that may be used
    const std::atomic<bool>* interrupt = nullptr;
    /// Told again and again which order runs, from 0 on, and how many of its cycles are done.
    std::function<void(unsigned order, std::uint64_t cycle)> progress = {};
};

/// What became of it.
struct Report {
    unsigned orders = 0;      // that were run
    std::uint64_t cycles = 0; // of each
    std::uint64_t buses = 0;
    unsigned threads = 1; // the most that an order had
    std::optional<OrderDifference> difference;
};

/// The order number `order` of a series, which is on one to so many threads.
SimulatorOptions order_of(unsigned order, std::uint64_t seed, unsigned threads);

/// Runs the network, without its observers, in so many orders, each beside the source order. The
/// graph must have been analysed without errors.
Report compare(const Graph& graph, const Wishes& wishes);

} // namespace sme::orders
