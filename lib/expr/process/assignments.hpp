// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "expr/process/bound_step.hpp"
#include "expr/process/process.hpp"
#include "expr/program/loop_faults.hpp"
#include "expr/program/parts.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

/// Returns one scalar of a type, without its path and without listing the others.
Leaf leaf_at(const Type& type, std::uint64_t number);

/// An assignable location: a scalar of an output or state slot, or of a memory word.
struct TargetKey {
    bool is_memory;
    std::uint32_t place; // port or memory
    NodeId word;         // word of a memory, else no_node
    std::uint32_t leaf;  // number of the scalar
    auto operator<=>(const TargetKey&) const = default;
};

/// The state of a target: its value, and whether it has been written.
struct Assigned {
    NodeId value;
    NodeId written; // a bool
};

/// All targets on one path through a step.
using Targets = std::map<TargetKey, Assigned>;

/// Turns right-hand sides and steps into nodes.
///
/// The lines of a block have no order: all apply before the block's if statements, whose arms
/// override them. So each target becomes one expression over the start of the cycle.
class Assignments {
public:
    Assignments(const ProcessView& text, Elaborator& elaborator);

    /// Elaborates the whole step.
    void run(const Block& step);

    const Targets& targets() const { return targets_; }
    /// Returns the bound step, if the elaborator keeps bound expressions.
    BoundBlock& step() { return step_; }
    /// Nodes that are true when the run must halt.
    const std::vector<NodeId>& halts() const { return halts_; }
    /// Prints, in source order.
    const std::vector<Print>& prints() const { return prints_; }
    /// Nodes that are evaluated only for their faults.
    const std::vector<NodeId>& assertions() const { return assertions_; }

    /// Returns the value of a slot without an assignment.
    NodeId fallback(const TargetKey& key) const;

    /// Adds a check for each pair of memory writes that may hit one word in one cycle.
    void check_conflicts();

    /// The loops that write memories, in the order of their writes, and then all other memory
    /// writes. Writes are disabled while `reset` holds (no_node: never).
    struct MemoryWrites {
        std::vector<LoopRoot> loops;
        std::vector<MemoryWrite> writes;
    };
    MemoryWrites memory_writes(NodeId reset);

private:
    /// Bits of a scalar: `width` bits from `low` on, or one bit at a computed position.
    struct Bits {
        unsigned low = 0;
        unsigned width = 0;  // 0: the whole scalar
        NodeId at = no_node; // the position when it is not constant
        unsigned from = 0;   // first bit of the value to store
        bool whole() const { return width == 0; }
    };
    /// One scalar of a target; `guard` is true if a computed index selects it.
    struct Place {
        TargetKey key;
        NodeId guard;
        Bits bits{};
    };
    struct Target {
        TypeRef type;
        std::string name;
        Location declared;
        /// For each scalar of the type, its possible places; a slice has all places in one entry.
        std::vector<std::vector<Place>> leaves;
        bool sliced = false;
        BoundRef tree = {};
    };
    struct GuardedValue { // for one scalar
        NodeId value;
        NodeId enabled;
    };
    /// A write of (part of) a scalar, performed when path, offer and guard hold.
    struct Write {
        Bits bits;
        NodeId path, offered, guard;
        Location where;
    };
    using Writes = std::map<TargetKey, std::vector<Write>>;

    /// The range of positions at which the lines that write a word apply; later lines override
    /// earlier ones.
    struct Applied {
        std::uint64_t first, last;
    };

    void block(const Block& block, NodeId path, Targets& targets, Writes& written,
               BoundBlock& bound);
    bool is_memory(const Ast& target) const;
    bool assign_in_loop(const Statement& statement, const std::vector<LoopIndex>& indices,
                        NodeId path, Targets& targets, Writes& written, BoundStatement& bound);
    bool has_loop_words(const Statement& statement, NodeId step);
    std::optional<Statement> word_by_word(const Statement& statement);
    bool is_loop(const TargetKey& key) const { return !b_.free_in(key.word).empty(); }
    void check_bits(const TargetKey& key, const Targets& targets);
    bool check_words(const TargetKey& key, const Write& write, const Writes& before,
                     const std::string& name, const Location* block);
    bool report_two(const Write& write, const Write& other, const std::string& name,
                    const Location* block);
    void note_applied(const TargetKey& key);
    bool settle_words(const TargetKey& a, const TargetKey& b, NodeId a_written, NodeId b_written);
    void refuse_words(const TargetKey& key);
    MemoryWrite memory_write(const TargetKey& key, const Assigned& assigned, NodeId reset) const;
    static void add(const Writes& from, Writes& to);
    void assign(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                BoundStatement& bound);
    bool assign_one(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                    BoundStatement& bound);

    bool check_write(const TargetKey& key, const Write& write, const std::vector<Write>& before,
                     const std::string& name, const Location* block);
    void conflict(const TargetKey& key, const Write& a, const Write& b);
    NodeId position_mask(const Bits& bits, Scalar type);
    const std::string& name_of(const TargetKey& key) const;
    Scalar scalar_of(const TargetKey& key) const;
    void choice(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                BoundStatement& bound);
    void match(const Statement& statement, NodeId path, Targets& targets, Writes& written,
               BoundStatement& bound);
    void merge(const std::vector<std::pair<NodeId, Targets>>& arms, Targets& targets);
    std::optional<NodeId> condition(const AstRef& ast, const char* what, BoundCondition& bound);
    std::optional<NodeId> when(const Rhs& rhs, BoundCondition& bound);
    BoundRef kept(const BoundExpr& value) const {
        return e_.bindings() ? e_.operand(value) : nullptr;
    }
    BoundRef part(BoundExpr::Kind kind, const Ast& ast, std::vector<BoundRef> operands) const;
    BoundRef element(const Ast& ast, BoundRef base, const std::vector<BoundExpr>& indices) const;
    void note_arm(const Location& where);
    void assertion(const Statement& statement, NodeId path, BoundStatement& bound);
    void halt(const Statement& statement, NodeId path, BoundStatement& bound);
    void print(const Statement& statement, NodeId path, BoundStatement& bound);

    std::optional<Target> target(const Ast& ast);
    std::map<std::string_view, const PortText*>::const_iterator reverse_field(const Ast& ast) const;
    std::optional<Target> reverse_target(const PortText& port, const Ast& ast);
    std::optional<Target> base_target(const Ast& ast);
    std::optional<Target> output_target(const PortText& port, const std::vector<BoundExpr>& indices,
                                        const Ast& ast);
    std::optional<Target> memory_target(const StateText& state,
                                        const std::vector<BoundExpr>& indices, const Ast& ast);
    std::optional<Target> field_target(Target base, const Ast& ast);
    std::optional<Target> element_target(Target base, const BoundExpr& index, const Ast& ast);
    std::optional<Target> slice_target(const Ast& ast);
    std::optional<Target> bit_target(Target base, const BoundExpr& index, const Ast& ast);
    NodeId inserted(const Place& place, const Targets& targets,
                    const std::vector<GuardedValue>& values);
    Target slot_target(std::uint32_t port, const TypeRef& type, const std::string& name,
                       const Location& declared) const;

    std::vector<GuardedValue> offers(const Rhs& rhs, const Target& target, const TypeRef& type,
                                     BoundRhs& bound);
    std::vector<GuardedValue> offered_when(const Rhs& rhs, std::vector<GuardedValue> offers,
                                           BoundRhs& bound);
    bool is_foreign_assignment(const Ast& value, const Target& target, const TypeRef& type);
    std::vector<GuardedValue> offered_first(const Rhs& rhs, const Target& target,
                                            const TypeRef& type, BoundRhs& bound);
    std::vector<GuardedValue> offered_by_choice(const Rhs& rhs, const Target& target,
                                                const TypeRef& type, BoundRhs& bound);
    std::vector<GuardedValue> offered_fields(const Rhs& rhs, const Target& target,
                                             const TypeRef& type, BoundRhs& bound);
    std::vector<GuardedValue> matched(const Rhs& rhs, const Target& target, const TypeRef& type,
                                      BoundRhs& bound);
    std::vector<GuardedValue> nothing(const TypeRef& type);
    std::vector<GuardedValue> chosen(NodeId condition, const std::vector<GuardedValue>& yes,
                                     const std::vector<GuardedValue>& no);
    Assigned current(const Targets& targets, const TargetKey& key) const;

    const ProcessView& text_;
    Elaborator& e_;
    Builder& b_;
    std::map<std::string_view, const PortText*> outputs_;   // by name
    std::map<std::string_view, const StateText*> states_;   // by name
    std::map<std::uint32_t, const PortText*> output_ports_; // by their first port
    std::map<std::uint32_t, const StateText*> state_ports_; // by their port
    std::map<std::uint32_t, const StateText*> memories_;    // by number
    Targets targets_;
    std::vector<NodeId> halts_;
    std::vector<NodeId> assertions_;
    std::vector<Print> prints_;
    BoundBlock step_;
    std::map<TargetKey, Location> places_;
    LoopWords words_;
    std::set<std::uint32_t> looped_;                          // memories that loops write
    std::map<NodeId, std::vector<std::uint32_t>> loop_sites_; // by step: first site of each line
    std::vector<std::pair<NodeId, NodeId>> loop_assertions_;  // word written by a loop; check
    std::map<std::pair<std::uint32_t, NodeId>, Applied> applied_; // by memory and word
    std::uint64_t applications_ = 0;
    /// Checks of memory indices, by index node and out-of-range node.
    std::map<std::pair<NodeId, NodeId>, NodeId> checked_;
};

} // namespace sme::expr
