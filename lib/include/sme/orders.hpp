// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sme/network.hpp"
#include "sme/simulator.hpp"

namespace sme {

/// The first difference between a run in another order and the run in source order.
struct OrderDifference {
    unsigned order;      ///< the number of the run, from 0
    unsigned threads;    ///< of that run
    std::uint64_t cycle; ///< the first with a difference
    std::string bus;     ///< empty: the runs end differently
    std::string process; ///< the writer of the bus; empty without a bus
    std::string first;   ///< the value in source order, or how that run ends
    std::string second;  ///< the same in the other order
    std::string text;    ///< a sentence with all of the above
};

/// Runs a network in many random orders, on one to three threads (at most the CPUs of the process),
/// each next to a run in source order, and compares every bus in every cycle. The order is not
/// observable through buses, so a difference means that processes share something else: a static, a
/// global, a pointer into another process. Throws NetworkError for a network with errors.
std::optional<OrderDifference> compare_orders(const Network& network, Cycles cycles,
                                              unsigned orders = 20, std::uint64_t seed = 0);

} // namespace sme
