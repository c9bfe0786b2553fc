// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expr/lower/match.hpp"
#include "expr/process/bound_step.hpp"
#include "expr/process/process.hpp"
#include "expr/program/loop_faults.hpp"
#include "expr/program/parts.hpp"
#include "expr/typing/elaborator.hpp"

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

/// Makes the nodes of a bound step.
///
/// The lines of a block have no order: all apply before the block's if statements, whose arms
/// override them. So each target becomes one expression over the start of the cycle. Reports two
/// writes of one location.
class StepLowering {
public:
    StepLowering(const ProcessView& text, Elaborator& elaborator);

    /// Lowers the whole step.
    void run(const BoundBlock& step);

    const Targets& targets() const { return targets_; }
    /// Nodes that are true when the run must halt.
    const std::vector<NodeId>& halts() const { return halts_; }
    /// Prints, in source order.
    const std::vector<Print>& prints() const { return prints_; }
    /// Nodes that are evaluated only for their faults.
    const std::vector<NodeId>& assertions() const { return assertions_; }

    /// Returns the value of a slot without an assignment.
    NodeId fallback(const TargetKey& key) const;

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
    /// For each scalar of a type, its possible places; a slice has all places in one entry.
    using Places = std::vector<std::vector<Place>>;
    struct GuardedValue { // for one scalar
        NodeId value;
        NodeId enabled;
    };
    using GuardedValues = std::vector<GuardedValue>;
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

    // Statements.
    void block(const BoundBlock& block, NodeId path, Targets& targets, Writes& written);
    void assign(const BoundStatement& statement, NodeId path, Targets& targets, Writes& written);
    bool assign_one(const BoundLine& line, const Location& where, NodeId path, Targets& targets,
                    Writes& written);
    /// An assert, its condition, and when it applies.
    struct Assert {
        const BoundStatement& statement;
        NodeId holds, when, path;
    };
    void assertion(const BoundStatement& statement, NodeId path);
    void add_assertion(const Assert& assert);
    void halt(const BoundStatement& statement, NodeId path);
    void print(const BoundStatement& statement, NodeId path);
    void choice(const BoundStatement& statement, NodeId path, Targets& targets, Writes& written);
    void match(const BoundStatement& statement, NodeId path, Targets& targets, Writes& written);
    void merge(const std::vector<std::pair<NodeId, Targets>>& arms, Targets& targets);
    NodeId condition(const BoundCondition& bound);
    NodeId when(const BoundCondition& bound);
    void note_arm(const Location& where);
    static void add(const Writes& from, Writes& to);
    Assigned current(const Targets& targets, const TargetKey& key) const;

    // Right-hand sides: the values that they offer to a target.
    GuardedValues offers(const BoundRhs& rhs, const TypeRef& type);
    GuardedValues offered_first(const BoundRhs& rhs, const TypeRef& type);
    GuardedValues offered_fields(const BoundRhs& rhs, const TypeRef& type);
    GuardedValues matched(const BoundRhs& rhs, const TypeRef& type);
    GuardedValues nothing(const TypeRef& type);
    GuardedValues chosen(NodeId condition, const GuardedValues& yes, const GuardedValues& no);

    // Targets.
    Places places_of(const BoundTarget& target);
    Places port_places(const BoundTarget& target);
    Places word_places(const BoundTarget& target);
    Places element_places(const Places& base, const BoundSelect& select, const Type& element);
    Places bit_places(const Places& base, const BoundSelect& select);
    static Places slice_places(const Places& base, const BoundSelect& select);
    NodeId checked(const BoundSelect& index);
    NodeId checked_word(const BoundSelect& index);
    NodeId is_selected(NodeId index, std::uint64_t k);
    NodeId inserted(const Place& place, const Targets& targets, const GuardedValues& values);
    NodeId position_mask(const Bits& bits, Scalar type);

    // Conflicts between writes.
    bool check_write(const TargetKey& key, const Write& write, const std::vector<Write>& before,
                     const std::string& name, const Location* block);
    bool check_words(const TargetKey& key, const Write& write, const Writes& before,
                     const std::string& name, const Location* block);
    void check_bits(const TargetKey& key, const Targets& targets);
    bool report_two(const Write& write, const Write& other, const std::string& name,
                    const Location* block);
    void conflict(const TargetKey& key, const Write& a, const Write& b);
    void check_conflicts();
    bool settle_words(const TargetKey& a, const TargetKey& b, NodeId a_written, NodeId b_written);
    void refuse(const TargetKey& key, const Location& where);
    void note_applied(const TargetKey& key);
    bool is_loop(const TargetKey& key) const { return !b_.free_in(key.word).empty(); }
    const std::string& name_of(const TargetKey& key) const;
    Scalar scalar_of(const TargetKey& key) const;

    MemoryWrite memory_write(const TargetKey& key, const Assigned& assigned, NodeId reset) const;

    Elaborator& e_;
    Builder& b_;
    Lowering& lower_;
    std::map<std::uint32_t, const PortText*> output_ports_; // by their first port
    std::map<std::uint32_t, const StateText*> state_ports_; // by their port
    std::map<std::uint32_t, const StateText*> memories_;    // by number
    Targets targets_;
    std::vector<NodeId> halts_;
    std::vector<Assert> asserts_;
    std::vector<NodeId> assertions_;
    std::vector<Print> prints_;
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
