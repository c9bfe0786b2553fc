// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "network/graph.hpp"

namespace sme::engine {

/// Writes the initial slots of a run of elements of a family, as they are before cycle 0. The slot
/// of element k begins at memory[run.at(k)] and is marked as written.
void put_initial(const BusFamily& bus, const Segment& run, std::byte* memory);

} // namespace sme::engine
