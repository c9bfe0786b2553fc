// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/folded_name.hpp"
#include "network/graph.hpp"

namespace sme {

/// The writer of every bus element, as runs of elements written by consecutive instances.
class Writers {
public:
    struct Run {
        std::uint64_t first; // element
        std::uint64_t count;
        std::uint32_t family;
        std::uint32_t port;
        // Of the first element; the next element belongs to the next instance.
        std::uint64_t instance;
        std::uint64_t end() const { return first + count; }
    };

    /// Reports buses with two writers. Every binding must refer to a bus of the graph.
    static Writers of(const Graph& graph, Diagnostics& diagnostics);

    /// Returns the run that contains an element, or null if no process writes it.
    const Run* find(std::uint64_t element) const;

    /// Returns the first element among `segment`'s values that no process writes; −1 if all are
    /// written.
    std::int64_t first_unwritten(const Segment& segment) const;
    /// Returns whether one of these elements has a writer.
    bool any(std::uint64_t first, std::uint64_t count) const;

    const std::vector<Run>& runs() const { return runs_; }

private:
    std::vector<Run> runs_;
};

/// Instances of a process family that are drawn as one node.
struct FoldedSpan {
    std::uint64_t first;
    std::uint64_t count;
    std::size_t node;
    std::int64_t index; // of its first instance, if its name has one index

    std::uint64_t end() const { return first + count; }
};

/// Families of processes and of buses, folded by name.
struct Folds {
    explicit Folds(const Graph& graph);

    std::vector<FoldedName> processes;
    std::vector<bool> looks_on;                 // by node: whether it is an observer
    std::vector<std::vector<FoldedSpan>> spans; // by family: all its instances
    std::vector<FoldedName> buses;
    std::vector<std::size_t> bus_of; // by family

    const FoldedSpan& span(std::size_t family, std::uint64_t instance) const;
};

/// The connection of two nodes by a folded bus.
struct Connection {
    /// Returns the reader's index minus the writer's, if it is the same for all elements; otherwise
    /// `nullopt`.
    std::optional<std::int64_t> step() const;
    void add_step(std::optional<std::int64_t> step);

private:
    std::optional<std::int64_t> step_;
    bool any_ = false;
    bool mixed_ = false;
};

/// All reads: by folded bus, then by the writing node (−1: no process) and the reading node.
struct Connections {
    using Pair = std::pair<std::int64_t, std::size_t>;
    std::vector<std::map<Pair, Connection>> of_bus;
    /// The maximum number of elements of a folded bus that each instance of a node reads.
    std::vector<std::map<std::size_t, std::uint64_t>> each;
    /// The writers of each folded bus.
    std::vector<std::vector<std::size_t>> writers;

    static Connections of(const Graph& graph, const Writers& writers, const Folds& folds);
};

} // namespace sme
