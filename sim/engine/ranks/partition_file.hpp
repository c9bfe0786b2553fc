// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "engine/ranks/rank_shares.hpp"
#include "network/graph.hpp"

namespace sme::engine {

/// Returns a division as JSON. `digest` is that of the network.
std::string partition_text(const RankShares& shares, const Graph& graph, const std::string& digest);

/// Reads the output of `partition_text`, which users may have changed. `nullopt` if it is invalid,
/// of another network or for another number of ranks; `problem` then holds the reason.
std::optional<RankShares> read_partition(const std::string& text, const Graph& graph,
                                         const std::string& digest, unsigned ranks,
                                         std::string& problem);

} // namespace sme::engine
