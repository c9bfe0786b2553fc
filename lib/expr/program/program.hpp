// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/program/operations.hpp"
#include "sme/type.hpp"

namespace sme::expr {

/// The type of one value of a program: bool is an unsigned integer of one bit.
struct Scalar {
    std::uint8_t width_bits = 1; // 1 … 64
    bool is_signed = false;
    bool operator==(const Scalar&) const = default;

    static Scalar of(const Type& type) {
        return {static_cast<std::uint8_t>(type.width_bits()), type.is_signed()};
    }
    /// The size in bytes of a canonical value in a slot.
    unsigned bytes() const {
        return width_bits <= 8 ? 1 : width_bits <= 16 ? 2 : width_bits <= 32 ? 4 : 8;
    }
};

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = ~NodeId{0};

/// One operation of a program. Operands have smaller numbers than their node.
struct Node {
    Op op = Op::constant;
    Scalar type;
    NodeId a = no_node;
    NodeId b = no_node;
    NodeId c = no_node;
    std::uint64_t immediate = 0;
    bool operator==(const Node&) const = default;
};

/// A repeated computation. Nodes that depend on its step or its carried values are computed in each
/// step, all others once.
struct Loop {
    struct Carried {
        NodeId variable; // Op::carried: the value before a step
        NodeId start;    // before the first step
        NodeId next;     // after a step
    };
    std::uint64_t count = 1; // number of steps, at least 1
    NodeId step = no_node;   // Op::step: 0 to count - 1
    std::vector<Carried> carried;
    /// The first fault site of each line or reducer in the loop, ascending.
    std::vector<std::uint32_t> sites;
    /// The carried bool after which further steps change nothing, so they may be left out.
    std::optional<std::uint32_t> until = std::nullopt;
};

/// A value that a check or an assert reads, for reports of its failure.
struct Operand {
    std::string text; // as written: "total.value"
    TypeRef type;
    std::vector<NodeId> leaves;
};

/// A possible fault.
struct FaultSite {
    Code code;
    Location where;
    std::string message;
    std::vector<Operand> operands{}; // their values follow the message
};

/// A constant array: one scalar of each element.
struct Table {
    Scalar type;
    std::vector<std::uint64_t> values; // canonical, sign-extended
};

/// A value that a part stores into an output slot.
struct Store {
    std::uint32_t port;
    std::uint32_t offset; // offset of the scalar in the slot
    NodeId value;
    NodeId fallback; // value if the instance faults
};

/// A write to a word of one of the process's own memories, visible from the next cycle on.
struct MemoryWrite {
    std::uint32_t memory;
    NodeId enable;
    NodeId word;
    std::uint32_t offset; // offset of the scalar in the word
    NodeId value;
};

/// Resets all words of one of the process's own memories to their initial contents, visible from
/// the next cycle on.
struct MemoryReset {
    std::uint32_t memory;
    NodeId enable;
};

/// A fault that occurs if both nodes are true.
struct FaultCheck {
    NodeId bad;
    NodeId selected;
    std::uint32_t site;
    /// A node whose low 32 bits are the site number, where it is known only at run time; no_node:
    /// `site` applies.
    NodeId which = no_node;
};

/// A loop restricted to the needs of one part.
struct PartLoop {
    NodeId loop = no_node;                  // its node
    std::vector<NodeId> nodes;              // nodes of each step, in order
    std::vector<std::uint32_t> carried;     // indices of the needed carried values, ascending
    std::vector<MemoryWrite> memory_writes; // writes of each step; visible from the next cycle on
};

/// How to print the scalars of a value.
struct PrintStyle {
    enum class Base : std::uint8_t {
        natural, // decimal, true or false, or a member name; hexadecimal for wide integers
        decimal,
        hexadecimal,
        binary,
        character,
    };
    Base base = Base::natural;
    bool zeros = false; // pad with zeros, else spaces
    unsigned width = 0; // minimum, in characters
};

/// The template of a printed line.
struct PrintLine {
    struct Piece {
        std::string text;
        TypeRef type; // type of the value to print; null: text
        PrintStyle style;
    };
    std::vector<Piece> pieces;
    Location where;
};

/// A line to print when a node is true.
struct Print {
    NodeId enable;
    std::uint32_t line;
    std::vector<NodeId> values; // all scalars of all pieces
};

/// Top-level fields at a port; see network's PortUse, which expr cannot use.
struct FieldUse {
    std::uint32_t port;
    std::uint64_t fields;
    auto operator<=>(const FieldUse&) const = default;
};

/// One part of a process. It has the nodes it needs, in order; for each loop node, `loops` holds
/// the loop.
struct PartProgram {
    std::vector<NodeId> nodes;
    std::vector<PartLoop> loops; // inner loops before outer ones
    std::vector<Store> stores;
    /// Performed in order, after the writes of the loops, which follow the order of `nodes`.
    std::vector<MemoryWrite> memory_writes;
    std::vector<MemoryReset> memory_resets;
    std::vector<FaultCheck> faults; // in order of reporting
    std::vector<NodeId> halts;
    std::vector<Print> prints;   // in source order
    std::vector<NodeId> results; // values for the host: conditions of checks, recorded values
    std::vector<FieldUse> reads;
    std::vector<FieldUse> writes;
};

/// Returns the port at which a node loads; no_node if it does not load.
inline std::uint32_t port_of(const Node& node) {
    return node.op == Op::load ? node.a : node.op == Op::load_at ? node.b : no_node;
}

/// Returns the loop of a node in a part.
inline const PartLoop& loop_of(const PartProgram& part, NodeId node) {
    for (const PartLoop& loop : part.loops)
        if (loop.loop == node)
            return loop;
    std::abort(); // a part holds the loops of its nodes
}

/// Calls visit(id) for each node that a part computes, including those of its loops.
template <class Visit> void for_each_node(const PartProgram& part, Visit visit) {
    for (const NodeId id : part.nodes)
        visit(id);
    for (const PartLoop& loop : part.loops)
        for (const NodeId id : loop.nodes)
            visit(id);
}

/// Returns true if a part writes memories.
inline bool writes_memories(const PartProgram& part) {
    bool writes = !part.memory_writes.empty();
    for (const PartLoop& loop : part.loops)
        writes = writes || !loop.memory_writes.empty();
    return writes;
}

/// Calls use(id) for each direct operand of a part's effects and results, except printed values.
template <class Use> void for_each_effect(const PartProgram& part, Use use) {
    for (const Store& store : part.stores)
        use(store.value);
    for (const MemoryWrite& write : part.memory_writes)
        for (const NodeId id : {write.enable, write.word, write.value})
            use(id);
    for (const FaultCheck& fault : part.faults) {
        use(fault.bad);
        use(fault.selected);
        if (fault.which != no_node)
            use(fault.which);
    }
    for (const std::vector<NodeId>* ids : {&part.halts, &part.results})
        for (const NodeId id : *ids)
            use(id);
    for (const MemoryReset& reset : part.memory_resets)
        use(reset.enable);
    for (const Print& print : part.prints)
        use(print.enable);
}

/// A counted event of a process: how often it occurs, over all instances and cycles.
struct CoverPoint {
    enum class Kind : std::uint8_t {
        line,      ///< a line of a step or a let that takes effect
        taken,     ///< a condition of if, elif or when that held
        not_taken, ///< a condition of if, elif or when that did not hold
        arm,       ///< an arm of a match was chosen
    };
    Kind kind = Kind::line;
    Location where;
    /// The results of the part that give the count, usually 0 or 1; several if a line covers many
    /// elements. Constant conditions are only counted.
    std::vector<std::uint32_t> results;
    std::uint64_t always = 0;
};

/// The coverage of a process: a part of its program that does nothing else.
struct CoverPlan {
    std::uint32_t part = 0;
    std::vector<CoverPoint> points; // empty: no coverage
};

/// The whole computation of a process, as one graph of nodes that its parts share.
struct Program {
    std::vector<Node> nodes;
    std::vector<Loop> loops;
    std::vector<Table> tables;
    std::vector<FaultSite> sites;
    std::vector<PrintLine> lines;
    std::vector<PartProgram> parts;
    CoverPlan cover;
    std::vector<std::int64_t> index_low; // for each index of the family
    std::vector<std::uint64_t> index_count;
    /// For a family with dropped members: the position of each instance in the full index space;
    /// empty if no member was dropped.
    std::vector<std::uint64_t> kept;
    bool computes_wide = false; // with integers of more than 64 bits, word by word
};

/// Calls use(id) for each direct operand of a part's loops: carried values and writes.
template <class Use>
void for_each_loop_use(const Program& program, const PartProgram& part, Use use) {
    for (const PartLoop& loop : part.loops) {
        const Loop& whole = program.loops[program.nodes[loop.loop].immediate];
        for (const std::uint32_t place : loop.carried) {
            use(whole.carried[place].start);
            use(whole.carried[place].next);
        }
        for (const MemoryWrite& write : loop.memory_writes)
            for (const NodeId id : {write.enable, write.word, write.value})
                use(id);
    }
}

} // namespace sme::expr
