// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/checks/connections.hpp"
#include "network/graph.hpp"
#include "network/picture/channels.hpp"

namespace sme {

/// A network as drawn in a picture: families folded into one node each, and their connections.
struct Diagram {
    enum class Role : std::uint8_t {
        process,
        channel,  ///< all parts of a channel
        input,    ///< a file, or the user of the simulator
        output,   ///< a file of recorded rows
        checks,   ///< observers
        junction, ///< the fork of a bus with several readers
        nobody,   ///< the end of a bus that is never read
        decision, ///< of a state machine, whose states are drawn as processes
        hidden,   ///< not drawn: drives signals that only waveforms show
    };
    struct Node {
        Role role;
        std::vector<std::string> path; // path in the hierarchy; the last segment is its own name
        std::uint64_t count = 1;       // of processes
        std::vector<std::string> seen_by{}; // checks that observe it
        std::vector<double> shares{};       // of the ranks: how many of its processes run there
    };
    /// All buses from one node to another, including the back fields of a bundle.
    struct Edge {
        std::size_t from;
        std::size_t to;
        bool wire = false; // all buses are wires; otherwise the labels mark the wires
        bool arrow = true;
        bool returns = false;              // for a bundle: some of its fields run back
        std::vector<std::string> labels{}; // a line for each bus: "token[0..999]: i32"
        std::vector<std::string> buses{};  // their full names: "stage.token[0..999]"
        // After a run:
        double activity = 0;             // share of the cycles, of its most active bus
        std::vector<std::string> uses{}; // a line for each bus
    };

    std::string name;
    std::vector<Node> nodes; // processes first, in source order
    std::vector<Edge> edges;
    std::optional<std::uint64_t> cycles; // of the run whose activity is shown
};

struct DiagramOptions {
    bool checks = false;                // list the checks that observe a process
    const Activity* activity = nullptr; // of a run; null: no run
};

/// Folds a network without errors. Instances and buses whose names differ only in their indices
/// become one; buses between the same processes share an edge. The effort grows with the segments
/// of the bindings, not with the size of the families.
Diagram diagram_of(const Graph& graph, const Writers& writers, const DiagramOptions& options = {});

/// Adds to a diagram which processes run on which ranks. `visit_pieces` calls visit(instances,
/// rank) for the pieces of a family.
using RankPiece = std::function<void(Range instances, unsigned rank)>;
void add_ranks(
    Diagram& diagram, const Graph& graph,
    const std::function<void(std::uint32_t family, const RankPiece& visit)>& visit_pieces);

/// Returns the picture in Graphviz's language: the hierarchy as clusters, wires dashed. Names may
/// contain any characters. Equal diagrams give equal texts.
std::string to_dot(const Diagram& diagram);

} // namespace sme
