// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/program.hpp"

namespace sme::expr {

/// Makes the nodes of a program: equal nodes once, constants folded.
class Builder {
public:
    NodeId constant(Scalar type, std::uint64_t value);
    NodeId boolean(bool value) { return constant({1, false}, value ? 1 : 0); }

    /// An operation on values; `type` is that of its result.
    NodeId operation(Op op, Scalar type, NodeId a, NodeId b = no_node, NodeId c = no_node);
    /// Anything else, as it is.
    NodeId leaf(const Node& node) { return intern(node); }

    NodeId logical_not(NodeId a) { return operation(Op::equal, {1, false}, a, boolean(false)); }
    /// Strict and, or: both operands are always selected.
    NodeId all_of(NodeId a, NodeId b) { return operation(Op::bit_and, {1, false}, a, b); }
    NodeId any_of(NodeId a, NodeId b) { return operation(Op::bit_or, {1, false}, a, b); }
    NodeId convert(Scalar type, NodeId a);
    NodeId select(NodeId condition, NodeId yes, NodeId no);
    /// `value`, which faults at a site when it is selected while `bad`.
    NodeId checked(NodeId value, NodeId bad, FaultSite site);

    std::uint32_t add_table(Table table);
    /// The tables of each scalar in an element of a constant array: none until they are added. The
    /// array is kept, so that no other one can have its address.
    std::vector<std::uint32_t>& tables_of(std::shared_ptr<const void> array) {
        return tables_[std::move(array)];
    }
    /// A number that nothing else in the program equals: each call makes another one.
    NodeId random(Scalar type) {
        return leaf({Op::random, type, no_node, no_node, no_node, random_sites_++});
    }

    std::optional<std::uint64_t> constant_value(NodeId id) const;
    Scalar type(NodeId id) const { return program_.nodes[id].type; }
    const Node& node(NodeId id) const { return program_.nodes[id]; }
    std::size_t size() const { return program_.nodes.size(); }

    Program& program() { return program_; }

private:
    struct Hash {
        std::size_t operator()(const Node& node) const;
    };
    NodeId intern(const Node& node);
    NodeId simplified(const Node& node) const;
    bool has_operand_that_may_fault(const Node& node) const;

    Program program_;
    std::map<std::shared_ptr<const void>, std::vector<std::uint32_t>> tables_;
    std::uint64_t random_sites_ = 0;
    std::vector<bool> may_fault_; // of each node: it is checked, or needs one that is
    std::unordered_map<Node, NodeId, Hash> known_;
};

} // namespace sme::expr
