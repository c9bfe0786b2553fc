// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.hpp"
#include "cli/options.hpp"
#include "lockstep/random_rules.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"

namespace sme::cli {

/// What --range, --assume and --handshake, and `assume` in a network, say about its buses. Reports
/// names that are none, numbers that do not fit and expressions that cannot be read.
lockstep::RandomRules read_rules(const Options& options, const yaml::Written& network,
                                 const Graph& graph, Diagnostics& diagnostics);

} // namespace sme::cli
