// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "network/checks/connections.hpp"
#include "network/checks/levels.hpp"
#include "network/graph.hpp"

namespace sme {

/// The properties of a network without errors.
struct Analysis {
    Writers writers;
    Levels levels;
};

/// Checks a network before its first cycle: types, single writers, unwritten reads, loops of wires.
/// Returns `nullopt` after an error. The effort does not grow with the size of regular families.
std::optional<Analysis> analyse(const Graph& graph, Diagnostics& diagnostics);

} // namespace sme
