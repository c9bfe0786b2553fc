// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sme/network.hpp"
#include "sme/simulator.hpp"

namespace sme {

/// Where a run in another order differs from the one in source order.
struct OrderDifference {
    unsigned order;      ///< the number of the run, from 0 on
    unsigned threads;    ///< of that run
    std::uint64_t cycle; ///< the first
    std::string bus;     ///< empty: the runs end differently
    std::string process; ///< the writer of the bus; empty: none
    std::string first;   ///< the value in source order, or how that run ends
    std::string second;  ///< in the other order
    std::string text;    ///< a sentence with all that
};

/// Runs a network in many random orders, on one to three threads (no more than the process has
/// CPUs), each beside a run in source
/// order, and compares every bus in every cycle. In the model the order cannot be observed, so a
/// difference means that processes share something behind its back: a static, a global, a pointer
/// into another process. Throws NetworkError for a network with errors.
std::optional<OrderDifference> compare_orders(const Network& network, Cycles cycles,
                                              unsigned orders = 20, std::uint64_t seed = 0);

} // namespace sme
