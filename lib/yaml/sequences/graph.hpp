// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// New values of loop indices, which are zero outside their loop.
using IndexValues = std::map<std::string, expr::AstRef>;

/// The way to a point, and what becomes of indices on it.
struct SequenceEdge {
    std::uint32_t to = 0;
    IndexValues sets = {};
};

/// A place in a sequence: an item that takes cycles, or a decision, which takes none. Its texts are
/// those of the item, with indices renamed so that each is a name of its own.
struct SequencePoint {
    using Kind = SequenceItem::Kind;
    struct Arm {
        expr::AstRef condition;              // of a choice; null for else
        std::vector<expr::Pattern> patterns; // of a match; empty for else
        Location where;
        SequenceEdge edge;
    };
    Kind kind = Kind::stop; // `choice` and `match` are decisions
    Location where;
    std::string name;   // unique
    bool given = false; // by the user
    bool in_procedure = false;
    // Of an item that takes cycles:
    expr::Block targets, lasting;
    expr::AstRef condition;
    std::vector<SequenceItem::End> ports;
    expr::AstRef within;
    SequenceEdge next, late;
    std::vector<std::size_t> branches; // of a parallel item: numbers of graphs
    // Of a decision; `condition` is the subject of a match:
    std::vector<Arm> arms;

    bool is_decision() const { return kind == Kind::choice || kind == Kind::match; }
    /// The order in which points are numbered: that of the file, procedures first.
    std::pair<bool, std::uint32_t> place() const { return {!in_procedure, where.begin}; }
};

/// A value that ways set, which is a state of the process: an index of a loop, a parameter of a
/// procedure, or the number of the call that a procedure returns to.
struct SequenceIndex {
    std::string name;
    TypeRef type;
    Location where;
};

/// Finds types and constant values of expressions of a process before it is built.
class SequenceValues {
public:
    SequenceValues(const expr::ProcessView& text, Context& context)
        : text_{text}, context_{context} {}

    /// Returns true if the value cannot change in the run, except with indices of loops.
    bool is_static(const expr::Ast& tree) const;
    /// Returns the value of a condition if it is known before the run.
    std::optional<bool> truth(const expr::AstRef& tree);
    /// Returns the value of a number if it is known before the run.
    std::optional<Integer> constant(const expr::AstRef& tree);
    /// Returns the type of a number of cycles or rounds; null after an error was reported.
    TypeRef type_of(const expr::AstRef& tree, const char* what);

    /// Returns the value of an argument as the type of its parameter; null after an error was
    /// reported.
    expr::AstRef argument(const expr::AstRef& value, const TypeRef& type, const std::string& name);

    void add_index(const std::string& name, const TypeRef& type) { indices_[name] = type; }
    Context& context() { return context_; }

private:
    /// Calls use(elaborator, value) with the value of an expression in the process.
    template <class Use> auto with_value(const expr::AstRef& tree, const Use& use);

    const expr::ProcessView& text_;
    Context& context_;
    std::map<std::string, TypeRef> indices_;
};

/// The points of a sequence and the ways between them. A loop that takes no cycle is found by those
/// who walk there.
struct SequenceGraph {
    std::string name = "at"; // of the item of a cycle
    std::vector<SequencePoint> points;
    SequenceEdge entry;
    std::vector<SequenceIndex> indices;
    std::vector<SequenceGraph> branches;
    /// Of a branch: the item that rests until all have ended. Of a test: the one that ends the run.
    std::optional<std::uint32_t> end;

    /// Returns the name of an item, or of an index, that differs from all others.
    static std::string fresh(const std::string& name, std::set<std::string>& taken);
};

/// `taken`: the names in the process, to which those of the indices are added. `nullopt` after an
/// error was reported.
std::optional<SequenceGraph> graph_of(const BodySyntax& body, const Location& where,
                                      SequenceValues& values, std::set<std::string>& taken);

/// Copies a block with the parts of its expressions replaced.
class Rewriter;
expr::Block rewritten(expr::Block block, const Rewriter& rewriter);

} // namespace sme::yaml
