// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.hpp"
#include "expr/process/hierarchy.hpp"
#include "lockstep/random_rows.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"

namespace sme::session {

/// Adds an assumption to rules on random values: the condition itself, and for "x < 100" and its
/// like the range from which 'x' is drawn. In `past(...)`, `stable`, `rose` and `fell` it may name
/// any bus. Returns false after an error.
bool add_assumption(const yaml::Assumed& assumed, bool needed, const expr::ModuleView& network,
                    const Graph& graph, lockstep::RandomRules& rules, Diagnostics& diagnostics);

/// Lets the inputs of a design that are random have values under these rules.
void feed_random_inputs(yaml::Design& design, const lockstep::RandomRules& rules,
                        std::uint64_t seed, Diagnostics& diagnostics);

} // namespace sme::session
