// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock_rate.hpp"
#include "bits/integer.hpp"
#include "expr/program/program.hpp"

namespace sme::expr {

/// Returns the smallest scalar type (8 bits and up) that holds every integer between low and high.
std::optional<Scalar> scalar_between(Integer low, Integer high);

/// Makes the nodes of a program: shares equal nodes and folds constants.
class Builder {
public:
    NodeId constant(Scalar type, std::uint64_t value);
    NodeId boolean(bool value) { return constant({1, false}, value ? 1 : 0); }

    /// Adds an operation on values; `type` is the result type.
    NodeId operation(Op op, Scalar type, NodeId a, NodeId b = no_node, NodeId c = no_node);
    /// Adds any other node unchanged.
    NodeId leaf(const Node& node) { return intern(node); }

    NodeId logical_not(NodeId a) { return operation(Op::equal, {1, false}, a, boolean(false)); }
    /// Strict and, or: both operands are always selected.
    NodeId all_of(NodeId a, NodeId b) { return operation(Op::bit_and, {1, false}, a, b); }
    NodeId any_of(NodeId a, NodeId b) { return operation(Op::bit_or, {1, false}, a, b); }
    /// Combine many values in a tree of little depth; an empty `all_of` is true, an empty `any_of`
    /// false.
    NodeId all_of(std::vector<NodeId> values);
    NodeId any_of(std::vector<NodeId> values);
    NodeId convert(Scalar type, NodeId a);
    NodeId select(NodeId condition, NodeId yes, NodeId no);
    /// Returns `value`, with a fault at a site if it is selected while `bad` is true.
    NodeId checked(NodeId value, NodeId bad, FaultSite site);

    /// Returns the number of the next fault site.
    std::uint32_t next_site() const { return static_cast<std::uint32_t>(program_.sites.size()); }

    /// Returns whether a clock rises at the end of the cycle.
    NodeId rises(const ClockRate& clock);

    std::uint32_t add_table(Table table);
    /// Returns the tables of each scalar in an element of a constant array, initially empty. Keeps
    /// the array alive, so its address stays unique.
    std::vector<std::uint32_t>& tables_of(std::shared_ptr<const void> array) {
        return tables_[std::move(array)];
    }
    /// The number of random numbers that are in use.
    std::uint64_t random_sites() const { return random_sites_; }
    void set_random_sites(std::uint64_t count) { random_sites_ = count; }

    /// Returns the step number within a loop of `count` steps, nested in `depth` others. Loops of
    /// one shape share the node, which makes conflicts between their words comparable.
    NodeId step(std::uint64_t count, unsigned depth);
    /// Returns the step count of the loops that use this step node.
    std::uint64_t steps_of(NodeId step) const { return step_counts_.at(step); }
    /// Returns a new variable for a loop to carry.
    NodeId carried(Scalar type);
    /// Adds a loop; more carried values may follow.
    NodeId loop(Loop loop);
    /// Adds a carried value to a loop and returns its index.
    std::uint32_t carry(NodeId loop, Loop::Carried carried);
    /// Returns a carried value of a loop after its last step.
    NodeId loop_result(NodeId loop, std::uint32_t place);
    const Loop& loop_at(NodeId loop) const { return program_.loops[node(loop).immediate]; }
    void set_next(NodeId loop, std::uint32_t place, NodeId next) {
        program_.loops[node(loop).immediate].carried[place].next = next;
    }
    /// Returns the loop that carries a variable, and the variable's index there.
    std::pair<NodeId, std::uint32_t> carrier(NodeId carried) const { return carriers_.at(carried); }
    /// Returns the steps and carried variables that a node depends on, without those of loops whose
    /// results it uses; ascending.
    const std::vector<NodeId>& free_in(NodeId id) const { return free_sets_[free_[id]]; }

    /// The state of loops during construction.
    struct Loops {
        std::uint64_t from = 0; // ranges of at least this many steps become loops; 0: no loops
        unsigned open = 0;      // number of open loops around the current node
        std::uint64_t instances = 1;
        std::uint64_t steps = 1;   // product over all open loops and instances
        std::uint64_t longest = 0; // steps of the longest loop so far
        bool failed = false;       // something in a loop was refused
    };
    Loops& loops() { return loops_; }
    bool has_loops() const { return !program_.loops.empty(); }

    std::optional<std::uint64_t> constant_value(NodeId id) const;
    /// Returns true if a node is checked, or needs a node that is.
    bool may_fault(NodeId id) const { return may_fault_[id]; }
    Scalar type(NodeId id) const { return program_.nodes[id].type; }
    const Node& node(NodeId id) const { return program_.nodes[id]; }
    std::size_t size() const { return program_.nodes.size(); }

    Program& program() { return program_; }

private:
    void grow();
    NodeId intern(const Node& node);
    NodeId simplified(const Node& node) const;
    bool may_fault(const Node& node) const;
    std::uint32_t free_of(const Node& node);
    std::uint32_t free_set(std::vector<NodeId> ids);
    std::uint32_t joined(std::uint32_t a, std::uint32_t b);

    Program program_;
    std::map<std::shared_ptr<const void>, std::vector<std::uint32_t>> tables_;
    std::uint64_t random_sites_ = 0;
    std::vector<bool> may_fault_; // for each node: it is checked, or needs a checked node
    std::vector<NodeId> known_;   // all nodes, by their hashes; no_node: a free place
    Loops loops_;
    std::map<std::pair<std::uint64_t, unsigned>, NodeId> steps_; // by count and depth
    std::map<NodeId, std::uint64_t> step_counts_;
    std::uint64_t carried_ = 0; // number of variables so far
    std::map<NodeId, std::pair<NodeId, std::uint32_t>> carriers_;
    std::vector<std::uint32_t> free_; // for each node: number of its set
    std::vector<std::vector<NodeId>> free_sets_{{}};
    std::map<std::vector<NodeId>, std::uint32_t> free_numbers_{{{}, 0}};
};

} // namespace sme::expr
