// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "network/checks/connections.hpp"

namespace sme {

/// The activity of the buses of a family in a run. A stream, a bundle with `valid` and `ready`, is
/// active in a cycle in which both are true: an item moves. Any other bus is active when its value
/// changes from one cycle to the next.
struct BusActivity {
    bool stream = false;
    std::uint64_t active = 0; // cycles, summed over the buses of the family
    std::uint64_t most = 0;   // the count if each were active in every cycle

    void add(const BusActivity& other);
    /// Returns a number from 0 to 1; 0 if no cycle ran.
    double share() const;
};

/// The activity on the buses of a network in a run.
struct Activity {
    std::uint64_t cycles = 0;       // cycles run, since the start or the resume
    std::vector<BusActivity> buses; // by family
};

/// Formats a share in percent: "12.5 %". "0 %" and "100 %" are exact, never rounded.
std::string share_text(double share);
/// Returns "raw: 7 changes, at most 8", "x: 7 items, at most 8".
std::string activity_text(const std::string& name, const BusActivity& activity);

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

    ChannelParts(const Graph& graph, const Folds& folds);
    /// Redirects the connections of merged nodes to the nodes of their channels.
    void merge(Connections& connections);
};

} // namespace sme
