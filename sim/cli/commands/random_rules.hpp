// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.hpp"
#include "cli/options.hpp"
#include "lockstep/random_rows.hpp"
#include "network/graph.hpp"
#include "yaml/design.hpp"

namespace sme::cli {

/// Reads --range, --assume, --handshake and the network's `assume`. Reports unknown names, numbers
/// that do not fit and invalid expressions.
lockstep::RandomRules read_rules(const Options& options, const yaml::Written& network,
                                 const Graph& graph, Diagnostics& diagnostics);

} // namespace sme::cli
