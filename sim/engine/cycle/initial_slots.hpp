// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "network/graph.hpp"

namespace sme::engine {

/// Writes what the slots of a run of a family's elements hold before cycle 0: that of element k
/// begins at memory[run.at(k)], and is all written.
void put_initial(const BusFamily& bus, const Segment& run, std::byte* memory);

} // namespace sme::engine
