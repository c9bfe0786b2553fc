// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "network/picture/diagram.hpp"
#include "yaml/sequences/items.hpp"

namespace sme::yaml {

/// Adds the state machine of a graph to a picture: a box for each item, a diamond for each decision
/// that a cycle begins with, and arrows with conditions. That an item waits is not drawn. The
/// sequences of parallel items are clusters.
void draw_machine(const SequenceGraph& graph, const std::map<std::uint32_t, SequenceWays>& items,
                  const std::map<std::uint32_t, SequencePath>& decisions, Diagram& picture);

} // namespace sme::yaml
