// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/checks/writers.hpp"
#include "network/graph.hpp"
#include "network/picture/activity.hpp"

namespace sme {

/// A network as a picture shows it: families folded into one node each, and what joins them.
struct Diagram {
    enum class Role : std::uint8_t {
        process,
        channel,  ///< all that the loader makes of one
        input,    ///< a file, or the simulator's user
        output,   ///< a file of recorded rows
        checks,   ///< looks on
        junction, ///< a bus with several readers divides
        nobody,   ///< the end of a bus that is written and never read
        hidden,   ///< is not drawn: makes what only waveforms show
    };
    struct Node {
        Role role;
        std::vector<std::string> path; // where it lies in the hierarchy; its own name is the last
        std::uint64_t count = 1;       // of processes
        std::vector<std::string> seen_by{}; // checks that look on
    };
    /// All that runs from one node to another; fields of a bundle that run back belong to it.
    struct Edge {
        std::size_t from;
        std::size_t to;
        bool wire = false; // all of it; else a label says which are
        bool arrow = true;
        bool returns = false;              // of a bundle: some of its fields run back
        std::vector<std::string> labels{}; // a line for each bus: "token[0..999]: i32"
        std::vector<std::string> buses{};  // their whole names: "stage.token[0..999]"
        // After a run:
        double activity = 0;             // share of the cycles, of its most active bus
        std::vector<std::string> uses{}; // a line for each bus
    };

    std::string name;
    std::vector<Node> nodes; // processes first, in source order
    std::vector<Edge> edges;
    std::optional<std::uint64_t> cycles; // of the run whose activity it shows
};

struct DiagramOptions {
    bool checks = false;                // name the checks that look at a process
    const Activity* activity = nullptr; // of a run; null: of none
};

/// Folds a network that has no errors. Instances and buses whose names differ in their indices only
/// are one; buses between the same processes share an edge. The effort grows with the segments of
/// the bindings, not with the families.
Diagram diagram_of(const Graph& graph, const Writers& writers, const DiagramOptions& options = {});

} // namespace sme
