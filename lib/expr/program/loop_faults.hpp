// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// The words that a node takes over the steps of one loop, if known before the run.
class LoopWords {
public:
    explicit LoopWords(const Builder& builder) : b_{builder} {}

    /// Returns the words, ascending; null if unknown or too many.
    const std::vector<std::uint64_t>* of(NodeId word);
    /// Returns whether two nodes coincide in any of their steps; `nullopt` if unknown.
    std::optional<bool> meet(NodeId a, NodeId b);

private:
    std::optional<std::vector<std::uint64_t>> computed(NodeId word) const;

    const Builder& b_;
    std::map<NodeId, std::optional<std::vector<std::uint64_t>>> known_;
};

/// Determines which fault of a loop comes first.
///
/// Whether a carried value is used is known only after the loop ends. So the first fault of each
/// value is computed alongside it, by the same choices, as a *rank* of 64 bits: the low 32 bits are
/// the fault site, the others the step, counted from 1 (0: before the loop). The smallest rank is
/// the first fault; all ones is no fault.
class LoopFaults {
public:
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    explicit LoopFaults(Builder& builder) : b_{builder} {}

    /// Returns true if any node of a loop may fault.
    bool may_fault(NodeId loop);
    /// Returns the rank of a loop result, with step 0. Only for loops that may fault.
    NodeId of_result(NodeId result);
    /// Returns the rank of a value in a step of a loop; no_node if it never faults.
    NodeId of(NodeId value, NodeId loop);

    /// Returns the smaller rank; either may be no_node.
    NodeId first(NodeId a, NodeId b);
    NodeId where(NodeId condition, NodeId yes, NodeId no);
    NodeId constant(std::uint64_t rank) { return b_.constant({64, false}, rank); }
    NodeId is_fault(NodeId rank);
    /// Returns the rank with step 0.
    NodeId without_step(NodeId rank);

private:
    NodeId site(std::uint64_t number, NodeId loop);
    NodeId step_of(std::uint64_t site, NodeId loop);
    NodeId within(NodeId rank, std::uint64_t first_site, NodeId loop);
    NodeId rank_of(NodeId id, NodeId loop);
    std::uint32_t place_of(NodeId loop, std::uint32_t place);
    bool contains_fault(const std::vector<NodeId>& roots);
    std::vector<NodeId> unknown(NodeId value, NodeId loop) const;
    NodeId known(NodeId id, NodeId loop) const;

    Builder& b_;
    std::map<NodeId, bool> faulty_;                                    // by loop
    std::map<std::pair<NodeId, NodeId>, NodeId> ranks_;                // by loop and value
    std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> places_; // from value to rank
};

} // namespace sme::expr
