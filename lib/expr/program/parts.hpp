// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// Fills `nodes` and `loops` of a part that needs the roots: a node that depends on the step or
/// carried values of a loop goes into that loop, any other node before it. On entry, `loops` holds
/// the loops with memory writes, which come first, in this order.
void schedule(const Builder& builder, const std::vector<NodeId>& roots, PartProgram& part);
/// Schedules a part of a finished program.
void schedule(const Program& program, const std::vector<NodeId>& roots, PartProgram& part);

/// A node that a part must compute when `selected` is true (no_node: always).
struct Root {
    NodeId node;
    NodeId selected = no_node;
};

/// Calls visit(operand) for each operand node; none for a loop: see Program::loops.
template <class Visit> void for_each_operand(const Node& node, Visit visit) {
    const NodeId nodes[] = {node.a, node.b, node.c};
    for (unsigned k = 0; k < row_of(node.op).operands; ++k)
        visit(nodes[k]);
}

/// Visits each node once: visit(id, open) pushes further nodes to `open`.
template <class Visit> void visit_nodes(std::vector<NodeId> open, Visit visit) {
    std::unordered_set<NodeId> seen;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (seen.insert(id).second)
            visit(id, open);
    }
}

/// Returns the nodes that the roots need, including those of loops, ascending.
std::vector<NodeId> reachable(const Builder& builder, const std::vector<Root>& roots);

/// The top-level field of the scalar at (port, offset).
using FieldMap = std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>;

/// A loop that a part runs for its memory writes and for nodes that may fault in each step.
struct LoopRoot {
    NodeId loop;
    std::vector<MemoryWrite> memory_writes;
    std::vector<NodeId> asserted;
};

/// Fills `nodes`, `loops`, `faults` and `reads` of a part with known roots. A node that is not
/// selected does not fault: for every node that may fault, the condition under which its value is
/// used is computed from its users.
void finish_part(Builder& builder, const std::vector<Root>& roots, const FieldMap& fields,
                 PartProgram& part, const std::vector<LoopRoot>& loops = {});

/// Fills a part that only has results, and whose faults other parts report.
void finish_quiet_part(const Builder& builder, const FieldMap& fields, PartProgram& part);

} // namespace sme::expr
