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
