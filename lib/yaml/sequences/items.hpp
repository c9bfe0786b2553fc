// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/sequences/paths.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// The ways on from an item: when it is complete, and when its time is over.
struct SequenceWays {
    SequencePath next, late;
};

/// The names that a state machine adds to its process.
struct MachineNames {
    explicit MachineNames(const std::string& name, bool has_decisions)
        : at{name}, entry{has_decisions ? name + ".entry" : name}, count{name + ".count"},
          done{name + ".done"}, ends{name + ".ends"}, has_entry{has_decisions} {}

    std::string at;    // the item of the cycle
    std::string entry; // the state that keeps what a cycle begins with
    std::string count, done;
    std::string ends; // of a branch: it has ended, or ends in this cycle
    bool has_entry;   // `at` is no state: items must say that they go on
};

/// What the branches of a parallel item do in a cycle.
struct BranchBlocks {
    expr::Block lines;
    expr::AstRef complete; // all have ended, or end in this cycle
};

/// Where a branch goes at its end.
struct BranchEnd {
    std::uint32_t begin = 0;           // if all branches have ended
    std::optional<std::uint32_t> rest; // elsewhere; absent if it is no branch
    std::string all;                   // the let that tells whether they have
};

/// The conditions under which an item goes on in a cycle.
struct ItemEnds {
    expr::AstRef complete; // null: always
    expr::AstRef late;     // if it is not complete; null: never
};

expr::Rhs value_of(expr::AstRef value);
/// Adds an assignment to a block.
void add_line(expr::Block& block, expr::AstRef target, expr::Rhs rhs, const Location& where);
void add_line(expr::Block& block, expr::AstRef target, expr::AstRef value, const Location& where);

/// Writes what the items of a sequence do in a cycle, as blocks of a step.
class ItemWriter {
public:
    /// `changed`: the indices that decisions change, which are lets.
    ItemWriter(const SequenceGraph& graph, SequenceValues& values, const expr::ProcessView& text,
               const std::set<std::string>& changed, const MachineNames& names, BranchEnd end)
        : graph_{graph}, values_{values}, text_{text}, changed_{changed}, names_{names},
          end_{std::move(end)}, diagnostics_{values.context().diagnostics} {}

    /// Finds the width of the counter of cycles; 0: no item counts them. Call it first.
    unsigned count(const std::vector<std::uint32_t>& items);
    /// `branches`: of a parallel item.
    expr::Block block(std::uint32_t item, const SequenceWays& ways, BranchBlocks branches);
    /// Returns when an item that has a block ends.
    const ItemEnds& ends(std::uint32_t item) const { return ends_.at(item); }

    /// The names of the states that keep which ports of an item are done.
    const std::vector<std::string>& flags() const { return flags_; }

private:
    /// What an item does besides its own lines.
    struct Progress {
        expr::AstRef complete; // null: at the end of this cycle
        expr::Block on_end;    // when it is complete
        expr::Block more;      // when it goes on
        expr::Block cleared;   // when it ends
    };
    /// The stream or Valid that an item sends to or receives from.
    struct End {
        expr::AstRef port;
        bool has_ready = false;
    };

    /// Returns the state of an index.
    std::string state_of(const std::string& index) const {
        return changed_.count(index) > 0 ? index + ".entry" : index;
    }
    const SequencePoint& point(std::uint32_t number) const { return graph_.points[number]; }
    std::vector<expr::AstRef> limits_of(const SequencePoint& item);
    void enter(expr::Block& block, std::uint32_t number) const;
    bool is_never(const expr::AstRef& complete, const Location& where);
    expr::AstRef reached(const expr::AstRef& cycles);
    void go_on(const SequencePath& path, expr::Block& block) const;
    void add_transfers(const SequencePoint& item, expr::Block& block, Progress& progress);
    expr::AstRef done_flag(std::size_t number, const Location& where);
    std::optional<End> end_of(const SequenceItem::End& written, bool sends);

    const SequenceGraph& graph_;
    SequenceValues& values_;
    const expr::ProcessView& text_;
    const std::set<std::string>& changed_;
    const MachineNames& names_;
    const BranchEnd end_;
    Diagnostics& diagnostics_;
    unsigned count_width_ = 0;
    std::map<std::uint32_t, ItemEnds> ends_;
    std::vector<std::string> flags_;
};

/// Returns the names that a block writes, each with its first place.
std::map<std::string, Location> targets_of(const expr::Block& block);

/// Reports targets that both the step and the sequence write, or two branches of a parallel item,
/// and targets that are indices of loops. `step` may be null.
void check_targets(const SequenceGraph& graph, const expr::Block* step, Diagnostics& diagnostics);

} // namespace sme::yaml
