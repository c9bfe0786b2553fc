// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::lockstep {

/// What came of comparing a pair. Filled while the run goes on.
struct Comparison {
    /// A value that an input had.
    struct Seen {
        std::string bus;
        std::string value;
        bool operator==(const Seen&) const = default;
    };
    /// The first difference.
    struct Difference {
        std::uint64_t cycle;
        std::string bus;
        std::string first, second; // values
        /// Cycle and inputs, the last cycle last.
        std::vector<std::pair<std::uint64_t, std::vector<Seen>>> inputs;
    };

    Pair pair;
    std::vector<std::string> outputs; // names, in the order of the pair
    std::vector<bool> moved;          // whether an output had more than one value
    std::uint64_t cycles = 0;         // that agree
    std::optional<Difference> difference;
};

/// Adds the observer that compares a pair. A difference ends the run after its cycle.
std::shared_ptr<const Comparison> add_comparison(Graph& graph, const Pair& pair);

} // namespace sme::lockstep
