// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.hpp"
#include "cli/options.hpp"
#include "expr/process/hierarchy.hpp"
#include "lockstep/random_rules.hpp"
#include "network/graph.hpp"

namespace sme::cli {

/// What --range, --assume and --handshake say about the buses of a network. Reports names that are
/// none, numbers that do not fit and expressions that cannot be read.
lockstep::RandomRules read_rules(const Options& options, const expr::ModuleView& network,
                                 const Graph& graph, Diagnostics& diagnostics);

} // namespace sme::cli
