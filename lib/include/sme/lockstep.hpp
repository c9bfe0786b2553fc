// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/network.hpp"

/// Two implementations of one thing in lockstep: two process classes, or a class and a Verilog
/// module, that read the same buses and write buses of their own.
namespace sme {

/// What came of comparing two implementations, so far.
struct Agreement {
    /// A value that an input had.
    struct Seen {
        std::string bus;
        std::string value;
        bool operator==(const Seen&) const = default;
    };
    /// The first difference.
    struct Difference {
        std::uint64_t cycle;
        std::string bus;           // of the first implementation
        std::string first, second; // values; of structs and arrays, what differs
        /// Cycle and inputs, the last cycle last.
        std::vector<std::pair<std::uint64_t, std::vector<Seen>>> inputs;
    };

    /// "a = 1, b = 2"; empty without any.
    static std::string text_of(const std::vector<Seen>& inputs);

    std::vector<std::string> outputs; // names, as the first implementation calls them
    std::vector<bool> moved;          // whether an output had more than one value
    std::uint64_t cycles = 0;         // that agree
    std::optional<Difference> difference;

    /// The difference, and a line for the inputs of each cycle before it; empty without one.
    std::string text() const;
};

/// Two buses that are to have the same values in every cycle.
struct BusPair {
    template <class T> BusPair(Bus<T> one, Bus<T> other) : first{one.id()}, second{other.id()} {}
    std::uint64_t first;
    std::uint64_t second;
};

/// Any bus.
struct AnyBus {
    template <class T> AnyBus(Bus<T> bus) : id{bus.id()} {}
    std::uint64_t id;
};

/// Compares what two implementations write, in every cycle, also in the one after the last. The
/// first difference ends the run after its cycle (`Simulator::halted`). `inputs` are shown with it.
/// The result belongs to the simulator that was made last. Throws NetworkError for a bus of another
/// network.
std::shared_ptr<const Agreement> compare(Network& network, const Name& name,
                                         const std::vector<BusPair>& outputs,
                                         const std::vector<AnyBus>& inputs = {});

} // namespace sme
