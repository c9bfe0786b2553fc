// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "yaml/sequences/paths.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// Returns the rewriter of expressions that see the indices in `changed` as a cycle begins.
Rewriter entry_rewriter(const std::set<std::string>& changed);

/// The lines of a state machine for each entry of a cycle: those of an item, or a decision that
/// holds the items to which it leads. Hardware is smaller if nothing is decoded after decisions,
/// but an item is written once for each way to it.
class EntryBlocks {
public:
    /// `blocks`: of the items. `changed`: the indices that decisions change.
    EntryBlocks(const SequenceGraph& graph, const std::set<std::string>& changed,
                const std::map<std::uint32_t, SequencePath>& decisions,
                const std::map<std::uint32_t, expr::Block>& blocks)
        : graph_{graph}, changed_{changed},
          decisions_{decisions}, blocks_{blocks}, at_entry_{entry_rewriter(changed)} {}

    /// Returns true if few lines are written more than once.
    bool is_short(const std::function<bool(std::uint32_t item)>& begins_cycle) const;
    /// Returns the lines of an item that a cycle begins with.
    expr::Block item(std::uint32_t number) const { return with_indices(number, {}); }
    /// Returns those of a decision and of the items to which it leads.
    expr::Block decided(const SequencePath& path) const;

private:
    expr::Block with_indices(std::uint32_t item, const IndexValues& sets) const;

    const SequenceGraph& graph_;
    const std::set<std::string>& changed_;
    const std::map<std::uint32_t, SequencePath>& decisions_;
    const std::map<std::uint32_t, expr::Block>& blocks_;
    const Rewriter at_entry_;
};

} // namespace sme::yaml
