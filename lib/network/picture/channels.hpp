// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "network/checks/connections.hpp"

namespace sme {

/// The processes and buses that the loader makes of channels: a picture shows a channel as one
/// node, and its messages as the edges there.
struct ChannelParts {
    /// By folded bus that carries messages of a channel: the channel's name, in segments. Empty: it
    /// carries none.
    std::vector<std::vector<std::string>> messages;
    std::vector<bool> hidden; // by folded bus: it is closed, or lies between parts of one node
    std::map<std::size_t, std::vector<std::string>> nodes; // that stand for channels: their names
    std::map<std::size_t, std::size_t> merged;             // other parts: the node of their channel

    /// `family_of_bus` is a family of each folded bus.
    ChannelParts(const Graph& graph, const Folds& folds,
                 const std::vector<std::size_t>& family_of_bus);
    /// Joins what runs to and from merged nodes to those of their channels.
    void merge(Connections& connections);
};

} // namespace sme
