// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "network/checks/writers.hpp"
#include "network/graph.hpp"
#include "network/picture/folded_name.hpp"

namespace sme {

/// Instances of a family of processes that are drawn as one node.
struct FoldedSpan {
    std::uint64_t first;
    std::uint64_t count;
    std::size_t node;
    std::int64_t index; // of its first instance, when its name has one index

    std::uint64_t end() const { return first + count; }
};

/// Families of processes and of buses, folded by their names.
struct Folds {
    explicit Folds(const Graph& graph);

    std::vector<FoldedName> processes;
    std::vector<bool> looks_on;                 // by node: an observer
    std::vector<std::vector<FoldedSpan>> spans; // by family: all its instances
    std::vector<FoldedName> buses;
    std::vector<std::size_t> bus_of; // by family

    const FoldedSpan& span(std::size_t family, std::uint64_t instance) const;
};

/// How a folded bus joins two nodes.
struct Connection {
    /// What a reader's index exceeds that of its writer by, when it is the same for all.
    std::optional<std::int64_t> step() const;
    void add_step(std::optional<std::int64_t> step);

private:
    std::optional<std::int64_t> step_;
    bool any_ = false;
    bool mixed_ = false;
};

/// All that is read: by folded bus, then by the nodes that write (−1: nobody) and read it.
struct Connections {
    using Pair = std::pair<std::int64_t, std::size_t>;
    std::vector<std::map<Pair, Connection>> of_bus;
    /// How many elements of a folded bus each instance of a node reads, at most.
    std::vector<std::map<std::size_t, std::uint64_t>> each;
    /// Who writes a folded bus.
    std::vector<std::vector<std::size_t>> writers;

    static Connections of(const Graph& graph, const Writers& writers, const Folds& folds);
};

} // namespace sme
