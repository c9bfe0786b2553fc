// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "network/graph.hpp"
#include "sme/orders.hpp"

namespace sme::orders {

struct Wishes {
    std::uint64_t cycles = 1;
    unsigned orders = 20;
    std::uint64_t seed = 0; // of the network's random values; orders depend on it, too
    const std::atomic<bool>* interrupt = nullptr;
};

/// What became of it.
struct Report {
    unsigned orders = 0;      // that were run
    std::uint64_t cycles = 0; // of each
    std::uint64_t buses = 0;
    std::optional<OrderDifference> difference;
};

/// The order number `order` of a series.
SimulatorOptions order_of(unsigned order, std::uint64_t seed);

/// Runs the network, without its observers, in so many orders, each beside the source order. The
/// graph must have been analysed without errors.
Report compare(const Graph& graph, const Wishes& wishes);

} // namespace sme::orders
