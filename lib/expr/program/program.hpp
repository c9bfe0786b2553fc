// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
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
    /// Bytes of a canonical value in a slot.
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

/// A computation that is repeated. What depends on its step, or on what it carries, is computed in
/// each step; all else once.
struct Loop {
    struct Carried {
        NodeId variable; // Op::carried: the value before a step
        NodeId start;    // before the first one
        NodeId next;     // after a step
    };
    std::uint64_t count = 1; // of steps, at least 1
    NodeId step = no_node;   // Op::step: 0 to count - 1
    std::vector<Carried> carried;
    /// The first fault site of each line or reducer that is computed here, ascending.
    std::vector<std::uint32_t> sites;
};

/// Something that may go wrong.
struct FaultSite {
    Code code;
    Location where;
    std::string message;
};

/// A constant array, one scalar of each of its elements.
struct Table {
    Scalar type;
    std::vector<std::uint64_t> values; // canonical, sign-extended
};

/// A value that a part puts into an output slot.
struct Store {
    std::uint32_t port;
    std::uint32_t offset; // of the scalar in the slot
    NodeId value;
    NodeId fallback; // what stands there when the instance faults
};

/// A write to a word of one of the process's own memories, visible from the next cycle on.
struct MemoryWrite {
    std::uint32_t memory;
    NodeId enable;
    NodeId word;
    std::uint32_t offset; // of the scalar in the word
    NodeId value;
};

/// All words of one of the process's own memories take their initial contents, visible from the
/// next cycle on.
struct MemoryReset {
    std::uint32_t memory;
    NodeId enable;
};

/// A fault that happens when both nodes are true.
struct FaultCheck {
    NodeId bad;
    NodeId selected;
    std::uint32_t site;
    /// A node whose low 32 bits are the number of the site, where that is known only while it runs;
    /// no_node: it is `site`.
    NodeId which = no_node;
};

/// A loop as a part needs it.
struct PartLoop {
    NodeId loop = no_node;                  // its node
    std::vector<NodeId> nodes;              // of each step, in order
    std::vector<std::uint32_t> carried;     // the places that the part needs, ascending
    std::vector<MemoryWrite> memory_writes; // of each step; visible from the next cycle on
};

/// How a print writes the scalars of a value.
struct PrintStyle {
    enum class Base : std::uint8_t {
        natural, // decimal, true or false, the name of a member; hexadecimal digits of wide
                 // integers
        decimal,
        hexadecimal,
        binary,
        character,
    };
    Base base = Base::natural;
    bool zeros = false; // what fills up to the width: zeros or spaces
    unsigned width = 0; // characters, at least
};

/// What a line that a process prints is made of.
struct PrintLine {
    struct Piece {
        std::string text;
        TypeRef type; // of the value that stands here; null: text
        PrintStyle style;
    };
    std::vector<Piece> pieces;
    Location where;
};

/// A line that is printed when a node is true.
struct Print {
    NodeId enable;
    std::uint32_t line;
    std::vector<NodeId> values; // all scalars of all pieces
};

/// Top-level fields at a port; see network's PortUse, which this part cannot know.
struct FieldUse {
    std::uint32_t port;
    std::uint64_t fields;
    auto operator<=>(const FieldUse&) const = default;
};

/// What one part of a process does. Its nodes are those it needs, in order; where a node is a loop,
/// that loop is among `loops`.
struct PartProgram {
    std::vector<NodeId> nodes;
    std::vector<PartLoop> loops; // inner ones before those around them
    std::vector<Store> stores;
    /// Made in their order, behind those of the loops, which come in the order of `nodes`.
    std::vector<MemoryWrite> memory_writes;
    std::vector<MemoryReset> memory_resets;
    std::vector<FaultCheck> faults; // in the order in which they are reported
    std::vector<NodeId> halts;
    std::vector<Print> prints;   // in source order
    std::vector<NodeId> results; // values for the host: conditions of checks, recorded values
    std::vector<FieldUse> reads;
    std::vector<FieldUse> writes;
};

/// The loop of a node of a part.
inline const PartLoop& loop_of(const PartProgram& part, NodeId node) {
    for (const PartLoop& loop : part.loops)
        if (loop.loop == node)
            return loop;
    std::abort(); // a part holds the loops of its nodes
}

/// Calls visit(id) for each node that a part computes, those of its loops included.
template <class Visit> void for_each_node(const PartProgram& part, Visit visit) {
    for (const NodeId id : part.nodes)
        visit(id);
    for (const PartLoop& loop : part.loops)
        for (const NodeId id : loop.nodes)
            visit(id);
}

/// Whether a part writes memories.
inline bool writes_memories(const PartProgram& part) {
    bool writes = !part.memory_writes.empty();
    for (const PartLoop& loop : part.loops)
        writes = writes || !loop.memory_writes.empty();
    return writes;
}

/// Calls use(id) for each node that an effect or a result of a part depends on at once: all but the
/// values that are printed.
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

/// Something in a process that is counted: how often, over all instances and cycles.
struct CoverPoint {
    enum class Kind : std::uint8_t {
        line,      ///< a line of a step or a let, where it counts
        taken,     ///< a condition of if, elif or when: it held
        not_taken, ///< the same: it did not
        arm,       ///< an arm of a match was chosen
    };
    Kind kind = Kind::line;
    Location where;
    /// The results of the part that say how often it counts, mostly 0 or 1: several where a line
    /// stands for many elements. What is the same in every cycle is only counted.
    std::vector<std::uint32_t> results;
    std::uint64_t always = 0;
};

/// What is counted in a process: a part of its program that does nothing else.
struct CoverPlan {
    std::uint32_t part = 0;
    std::vector<CoverPoint> points; // empty: nothing
};

/// All that a process computes, as one graph of nodes that its parts share.
struct Program {
    std::vector<Node> nodes;
    std::vector<Loop> loops;
    std::vector<Table> tables;
    std::vector<FaultSite> sites;
    std::vector<PrintLine> lines;
    std::vector<PartProgram> parts;
    CoverPlan cover;
    std::vector<std::int64_t> index_low; // of each index of the family
    std::vector<std::uint64_t> index_count;
    /// Of a family with dropped members: the place of each instance among all that the indices
    /// count; empty when none was dropped.
    std::vector<std::uint64_t> kept;
};

/// Calls use(id) for each node that the loops of a part need at once: for what they carry and for
/// what they write.
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
