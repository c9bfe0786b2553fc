// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "network/checks/connections.hpp"

namespace sme {

/// The processes and buses that the loader makes for channels. A picture shows a channel as one
/// node, and its messages on the edges of this node.
struct ChannelParts {
    /// For each folded bus that carries messages of a channel: the channel's name, in segments.
    /// Empty for other buses.
    std::vector<std::vector<std::string>> messages;
    // By folded bus: shows the closed state, or connects parts of one node.
    std::vector<bool> hidden;
    // The nodes that represent channels: their names.
    std::map<std::size_t, std::vector<std::string>> nodes;
    std::map<std::size_t, std::size_t> merged; // other parts: the node of their channel

    /// `family_of_bus`: one family for each folded bus.
    ChannelParts(const Graph& graph, const Folds& folds,
                 const std::vector<std::size_t>& family_of_bus);
    /// Redirects the connections of merged nodes to the nodes of their channels.
    void merge(Connections& connections);
};

} // namespace sme
