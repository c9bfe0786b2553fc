// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// Which fault comes first in what a loop computes.
///
/// Whether a value that a loop carries is used is known only when the loop has ended, so the first
/// fault behind a value is computed beside it, by the same choices: a *rank*, 64 bits of which the
/// low 32 are the fault site and the others the step, counted from 1 (0: before the loop), so that
/// the smallest rank is the fault that comes first. No fault is all ones.
class LoopFaults {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    explicit LoopFaults(Builder& builder) : b_{builder} {}

    /// Whether anything in a loop may fault.
    bool may_fault(NodeId loop);
    /// The rank of what a loop carries in the place of a result; its step is 0. For results of
    /// loops that may fault.
    NodeId of_result(NodeId result);
    /// The rank of a value in a step of a loop; no_node: it never faults.
    NodeId of(NodeId value, NodeId loop);

    /// Each may be no_node.
    NodeId first(NodeId a, NodeId b);
    NodeId where(NodeId condition, NodeId yes, NodeId no);
    NodeId constant(std::uint64_t rank) { return b_.constant({64, false}, rank); }
    NodeId is_fault(NodeId rank);
    /// A rank with step 0.
    NodeId without_step(NodeId rank);

private:
    NodeId site(std::uint64_t number, NodeId loop);
    NodeId step_of(std::uint64_t site, NodeId loop);
    NodeId within(NodeId rank, std::uint64_t first_site, NodeId loop);
    NodeId made(NodeId id, NodeId loop);
    std::uint32_t place_of(NodeId loop, std::uint32_t place);
    bool contains_fault(const std::vector<NodeId>& roots);
    std::vector<NodeId> unknown(NodeId value, NodeId loop) const;
    NodeId known(NodeId id, NodeId loop) const;

    Builder& b_;
    std::map<NodeId, bool> faulty_;                                    // by loop
    std::map<std::pair<NodeId, NodeId>, NodeId> ranks_;                // by loop and value
    std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> places_; // of what ranks what
};

} // namespace sme::expr
