// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/graph.hpp"

namespace sme::actors {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// A port of a process that is the end of a channel, as numbers of the family's ports.
struct ChannelPort {
    std::uint32_t data = none; ///< valid and the message
    std::uint32_t ready = none;
    std::uint32_t closed = none; ///< the sender is done
    bool sends = false;
};

/// The role of a family of processes in a run without a clock.
struct Plan {
    enum class Kind : std::uint8_t { actor, source, recorder };
    Kind kind;
    std::uint32_t family;
    std::vector<ChannelPort> ports; ///< inputs, then outputs, in the order of the file
    std::uint32_t firing = none;    ///< the state that holds the result of a step
};

/// Plans all families of a network that was loaded to run without a clock. Reports everything that
/// prevents such a run.
std::vector<Plan> plans_of(const Graph& graph, Diagnostics& diagnostics);

/// True if an element of a bus family is a channel.
inline bool is_channel(const Graph& graph, std::uint64_t element) {
    return graph.family_of(element).places > 0;
}

} // namespace sme::actors
