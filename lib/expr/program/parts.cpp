// SPDX-License-Identifier: Apache-2.0
#include "expr/program/parts.hpp"

#include <algorithm>

#include "expr/program/loop_faults.hpp"
#include "expr/program/schedule.hpp"

namespace sme::expr {

namespace {

std::vector<NodeId> nodes_of(const std::vector<Root>& roots) {
    std::vector<NodeId> made;
    for (const Root& root : roots)
        for (const NodeId id : {root.node, root.selected})
            if (id != no_node)
                made.push_back(id);
    return made;
}

/// Nodes that a loop needs may have larger numbers than the loop.
std::vector<NodeId> reachable_through_loops(const Builder& builder,
                                            const std::vector<Root>& roots) {
    PartProgram part;
    schedule(builder, nodes_of(roots), part);
    std::vector<NodeId> found;
    for_each_node(part, [&](NodeId id) { found.push_back(id); });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace

std::vector<NodeId> reachable(const Builder& builder, const std::vector<Root>& roots) {
    if (builder.has_loops())
        return reachable_through_loops(builder, roots);
    std::vector<bool> seen(builder.size(), false);
    NodeId highest = 0;
    const auto mark = [&](NodeId id) {
        if (id == no_node)
            return;
        seen[id] = true;
        highest = std::max(highest, id);
    };
    for (const Root& root : roots) {
        mark(root.node);
        mark(root.selected);
    }
    std::vector<NodeId> found;
    for (NodeId id = highest + 1; id-- > 0;) // operands precede their users
        if (id < seen.size() && seen[id]) {
            found.push_back(id);
            for_each_operand(builder.node(id), mark);
        }
    std::reverse(found.begin(), found.end());
    return found;
}

namespace {

/// Finds the faults of a part and their conditions.
class FaultFinder {
public:
    FaultFinder(Builder& builder, const std::vector<NodeId>& nodes)
        : builder_{builder}, loops_{builder} {
        may_fault_.resize(builder.size(), false);
        for (const NodeId id : nodes) {
            const Node& node = builder.node(id);
            bool faults =
                node.op == Op::checked || (node.op == Op::loop_result && loops_.may_fault(node.a));
            for_each_operand(builder.node(id),
                             [&](NodeId operand) { faults = faults || may_fault_[operand]; });
            may_fault_[id] = faults;
        }
        selected_.resize(builder.size(), no_node);
    }

    /// Adds the first fault in the steps of a loop with memory writes.
    void add(const LoopRoot& root, std::vector<FaultCheck>& found) {
        NodeId all = no_node;
        for (const MemoryWrite& write : root.memory_writes) {
            const NodeId written =
                loops_.first(loops_.of(write.word, root.loop), loops_.of(write.value, root.loop));
            all = loops_.first(all, loops_.first(loops_.of(write.enable, root.loop),
                                                 loops_.where(write.enable, written, no_node)));
        }
        for (const NodeId node : root.asserted)
            all = loops_.first(all, loops_.of(node, root.loop));
        if (all == no_node)
            return;
        const NodeId before = builder_.carried({64, false});
        const std::uint32_t place = builder_.carry(
            root.loop, {before, loops_.constant(LoopFaults::none), loops_.first(before, all)});
        add(loops_.without_step(builder_.loop_result(root.loop, place)), root.loop,
            builder_.boolean(true), found);
    }

    void want(NodeId id, NodeId condition) {
        if (id >= may_fault_.size() || !may_fault_[id])
            return;
        selected_[id] =
            selected_[id] == no_node ? condition : builder_.any_of(selected_[id], condition);
    }

    /// Visits users before operands.
    std::vector<FaultCheck> run(const std::vector<NodeId>& nodes) {
        std::vector<FaultCheck> found;
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id)
            if (*id < selected_.size() && selected_[*id] != no_node)
                pass_on(*id, found);
        std::reverse(found.begin(), found.end());
        return found;
    }

private:
    void add(NodeId rank, NodeId loop, NodeId when, std::vector<FaultCheck>& found) {
        found.push_back({loops_.is_fault(rank), when, builder_.loop_at(loop).sites.at(0), rank});
    }

    void pass_on(NodeId id, std::vector<FaultCheck>& found) {
        const Node node = builder_.node(id); // a copy: making nodes moves them
        const NodeId when = selected_[id];
        switch (node.op) {
        case Op::select:
            want(node.a, when);
            want(node.b, and_also(when, node.a, node.b));
            want(node.c, and_not(when, node.a, node.c));
            break;
        case Op::logical_and:
            want(node.a, when);
            want(node.b, and_also(when, node.a, node.b));
            break;
        case Op::logical_or:
            want(node.a, when);
            want(node.b, and_not(when, node.a, node.b));
            break;
        case Op::loop_result: add(loops_.of_result(id), node.a, when, found); break;
        default:
            if (node.op == Op::checked)
                found.push_back({node.b, when, static_cast<std::uint32_t>(node.immediate)});
            for_each_operand(node, [&](NodeId operand) { want(operand, when); });
        }
    }
    NodeId and_also(NodeId when, NodeId condition, NodeId wanted) {
        return may_fault_[wanted] ? builder_.all_of(when, condition) : when;
    }
    NodeId and_not(NodeId when, NodeId condition, NodeId wanted) {
        return may_fault_[wanted] ? builder_.all_of(when, builder_.logical_not(condition)) : when;
    }

    Builder& builder_;
    LoopFaults loops_;
    std::vector<bool> may_fault_;
    std::vector<NodeId> selected_;
};

void find_reads(const Builder& builder, const FieldMap& fields, PartProgram& part) {
    std::map<std::uint32_t, std::uint64_t> reads;
    for_each_node(part, [&](NodeId id) {
        const Node& node = builder.node(id);
        if (node.op != Op::load)
            return;
        const auto field = fields.find({node.a, node.immediate});
        reads[node.a] |= field == fields.end()
                             ? ~std::uint64_t{0}
                             : std::uint64_t{1} << std::min<std::uint64_t>(field->second, 63);
    });
    for (const auto& [port, mask] : reads)
        part.reads.push_back({port, mask});
}

/// Fills `nodes` and `loops`.
void order(const Builder& builder, const std::vector<Root>& roots, PartProgram& part) {
    if (builder.has_loops())
        schedule(builder, nodes_of(roots), part);
    else
        part.nodes = reachable(builder, roots);
}

} // namespace

void finish_part(Builder& builder, const std::vector<Root>& roots, const FieldMap& fields,
                 PartProgram& part, const std::vector<LoopRoot>& loops) {
    order(builder, roots, part);
    const std::vector<NodeId> wanted = std::move(part.nodes);
    FaultFinder finder{builder, wanted};
    for (const Root& root : roots) {
        finder.want(root.node, root.selected == no_node ? builder.boolean(true) : root.selected);
        if (root.selected != no_node)
            finder.want(root.selected, builder.boolean(true));
    }
    part.faults = finder.run(wanted);
    part.loops.clear();
    for (const LoopRoot& loop : loops) {
        finder.add(loop, part.faults);
        part.loops.push_back({loop.loop, {}, {}, loop.memory_writes});
    }
    std::stable_sort(part.faults.begin(), part.faults.end(),
                     [](const FaultCheck& a, const FaultCheck& b) { return a.site < b.site; });
    std::vector<Root> all = roots;
    for (const FaultCheck& fault : part.faults)
        for (const NodeId id : {fault.bad, fault.selected, fault.which})
            if (id != no_node)
                all.push_back({id});
    order(builder, all, part);
    find_reads(builder, fields, part);
}

void finish_quiet_part(const Builder& builder, const FieldMap& fields, PartProgram& part) {
    std::vector<Root> roots;
    for (const NodeId result : part.results)
        roots.push_back({result});
    order(builder, roots, part);
    find_reads(builder, fields, part);
}

} // namespace sme::expr
