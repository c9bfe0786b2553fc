// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/network.hpp"

/// Comparisons: two implementations in lockstep, which are two process classes, or a class and a
/// Verilog module, that read the same buses and write separate buses; and a run in other orders.
namespace sme {

struct Cycles; // <sme/simulator.hpp>

/// The result of comparing two implementations, so far.
struct Agreement {
    /// The value of an input.
    struct Seen {
        std::string bus;
        std::string value;
        bool operator==(const Seen&) const = default;
    };
    /// The first difference.
    struct Difference {
        std::uint64_t cycle;
        std::string bus;           // of the first implementation
        std::string first, second; // values; for structs and arrays, only the parts that differ
        /// Cycle and inputs, the last cycle at the end.
        std::vector<std::pair<std::uint64_t, std::vector<Seen>>> inputs;
    };

    /// Returns "a = 1, b = 2"; empty if `inputs` is empty.
    static std::string text_of(const std::vector<Seen>& inputs);

    std::vector<std::string> outputs; // names, from the first implementation
    std::vector<bool> moved;          // whether an output had more than one value
    std::uint64_t cycles = 0;         // number of cycles that agree
    std::optional<Difference> difference;

    /// Returns the difference and a line for the inputs of each cycle before it; empty without a
    /// difference.
    std::string text() const;
};

/// Two buses that must have the same values in every cycle.
struct BusPair {
    template <class T> BusPair(Bus<T> one, Bus<T> other) : first{one.key()}, second{other.key()} {}
    internal::BusKey first;
    internal::BusKey second;
};

/// Any bus.
struct AnyBus {
    template <class T> AnyBus(Bus<T> bus) : key{bus.key()} {}
    internal::BusKey key;
};

/// Compares the outputs of two implementations in every cycle, including the one after the last.
/// The first difference, reported with `inputs`, ends the run after its cycle
/// (`Simulator::halted`). The result belongs to the simulator made last. Throws NetworkError for a
/// bus of another network.
std::shared_ptr<const Agreement> compare(Network& network, const Name& name,
                                         const std::vector<BusPair>& outputs,
                                         const std::vector<AnyBus>& inputs = {});

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
