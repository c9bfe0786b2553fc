// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/sequences/names.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// What the builders of a process share: the sequence has one, and so has each branch of a parallel
/// item.
struct ProcessSequences {
    ProcessSequences(const std::vector<ProcedureSyntax>& all, SequenceValues& found,
                     std::set<std::string>& names)
        : procedures{all}, values{found}, taken{names} {}

    bool is_full() const { return points >= most; }
    /// Returns a name that differs from all others.
    std::string fresh(const std::string& name) {
        std::string result = name;
        for (int& k = last[name]; !taken.insert(result).second;)
            result = fmt::format("{}_{}", name, k = std::max(k + 1, 2));
        return result;
    }
    /// Counts a point of a graph; reports that there are too many.
    void count(const Location& where) {
        if (++points == most)
            values.context().diagnostics.add(
                Code::too_large, where,
                fmt::format("this sequence has more than {} items, with the copies of its "
                            "procedures; 'call' needs one copy, 'inline' one each",
                            most));
    }

    const std::vector<ProcedureSyntax>& procedures;
    SequenceValues& values;
    std::set<std::string>& taken;
    const std::set<std::string> declared = taken; // by the user
    std::set<std::string> called;                 // procedures
    std::set<std::string> open;                   // procedures that are being built
    std::map<const SequenceItem*, std::string> index_of;
    unsigned branches = 0;
    std::size_t points = 0;
    static constexpr std::size_t most = 20'000;
    std::map<std::string, int> last; // the last number of each name
};

/// Finds the ways between the items of a sequence. Each list is read from its end, since an item
/// needs to know what follows it.
class GraphBuilder {
public:
    explicit GraphBuilder(ProcessSequences& all)
        : all_{all}, values_{all.values},
          diagnostics_{all.values.context().diagnostics}, names_{all.values.context(), all.taken} {}

    /// `halts`: the run ends with the sequence.
    SequenceGraph run(const SequenceItems& sequence, const Location& where, bool halts);
    /// Builds a branch of a parallel item of `outer`.
    SequenceGraph run_branch(const SequenceItem::Arm& branch, const GraphBuilder& outer);
    /// Gives each loop a state of its own, even if two loops use one name.
    void name_indices(const SequenceItems& items);

private:
    /// An open loop.
    struct Loop {
        SequenceEdge leave, go_on;
        std::string index; // may be empty
    };
    /// The items of a procedure in this graph, which all its calls share.
    struct Copy {
        const ProcedureSyntax* procedure = nullptr;
        bool is_inline = false;
        std::vector<SequenceIndex> parameters;
        std::uint32_t front = 0, back = 0; // points before and after its items
        std::vector<std::uint32_t> calls;
    };

    SequencePoint& point(std::uint32_t number) { return graph_.points[number]; }
    std::uint32_t add(SequenceItem::Kind kind, const Location& where, std::string name);
    std::uint32_t add(SequenceItem::Kind kind, const SequenceItem& item);
    /// Adds a point that leads elsewhere, which may not be known yet.
    std::uint32_t add_way(const Location& where, std::string name, SequenceEdge edge);
    void add_index(const std::string& name, const TypeRef& type, const Location& where);
    void add_halt(const Location& where);
    void finish();

    /// Returns the way into a list that goes on with `next`.
    SequenceEdge list(const SequenceItems& items, SequenceEdge next);
    SequenceEdge item(const SequenceItem& item, SequenceEdge next);
    SequenceEdge action(const SequenceItem& item, const SequenceEdge& next);
    SequenceEdge decision(const SequenceItem& item, const SequenceEdge& next);
    SequenceEdge while_loop(const SequenceItem& item, SequenceEdge next);
    SequenceEdge repeat(const SequenceItem& item, SequenceEdge next);
    /// Returns the type of the index of a loop with known rounds.
    TypeRef type_up_to(Integer most, const Location& where);
    SequenceEdge word(const SequenceItem& item, SequenceEdge next);
    /// Returns the way elsewhere, on which the indices of all open loops become zero.
    SequenceEdge leaving(SequenceEdge edge) const;

    SequenceEdge call(const SequenceItem& item, SequenceEdge next);
    const ProcedureSyntax* procedure_of(const SequenceItem& item);
    Copy* copy_of(const ProcedureSyntax& procedure, const SequenceItem& call);
    void add_parameters(Copy& copy);
    void build(Copy& copy);
    std::optional<IndexValues> arguments(const Copy& copy, const SequenceItem& call);
    void finish(Copy& copy);

    ProcessSequences& all_;
    SequenceValues& values_;
    Diagnostics& diagnostics_;
    ItemNames names_;
    SequenceGraph graph_;
    bool is_branch_ = false;
    std::uint32_t again_ = 0;           // the point that leads to the beginning
    std::optional<std::uint32_t> anew_; // the same, with all indices zero
    std::vector<Loop> loops_;           // around an item, in its sequence or procedure
    std::vector<std::string> open_;     // indices of loops around what is being named
    std::vector<std::unique_ptr<Copy>> copies_;
    Copy* copy_ = nullptr;                       // the procedure that is being built
    std::map<std::string, std::string> renames_; // of the indices of open loops, and of parameters
    const Rewriter renamed_{[this](const expr::AstRef& tree) -> expr::AstRef {
        if (tree->kind != expr::Ast::Kind::name)
            return nullptr;
        const auto found = renames_.find(tree->text);
        return found == renames_.end() || found->second == tree->text
                   ? nullptr
                   : name_tree(found->second, tree->where);
    }};
};

} // namespace sme::yaml
