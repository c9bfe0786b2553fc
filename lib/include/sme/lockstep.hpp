// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/network.hpp"

/// Compares two implementations in lockstep: two process classes, or a class and a Verilog module,
/// that read the same buses and write separate buses.
namespace sme {

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
    detail::BusKey first;
    detail::BusKey second;
};

/// Any bus.
struct AnyBus {
    template <class T> AnyBus(Bus<T> bus) : key{bus.key()} {}
    detail::BusKey key;
};

/// Compares the outputs of two implementations in every cycle, including the one after the last.
/// The first difference, reported with `inputs`, ends the run after its cycle
/// (`Simulator::halted`). The result belongs to the simulator made last. Throws NetworkError for a
/// bus of another network.
std::shared_ptr<const Agreement> compare(Network& network, const Name& name,
                                         const std::vector<BusPair>& outputs,
                                         const std::vector<AnyBus>& inputs = {});

} // namespace sme
