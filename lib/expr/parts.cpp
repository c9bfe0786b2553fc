// SPDX-License-Identifier: Apache-2.0
#include "expr/parts.hpp"

#include <algorithm>
#include <set>

namespace sme::expr {

std::vector<NodeId> reachable(const Builder& builder, const std::vector<Root>& roots) {
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
    for (NodeId id = highest + 1; id-- > 0;) // operands come before their users
        if (id < seen.size() && seen[id]) {
            found.push_back(id);
            for_each_operand(builder.node(id), mark);
        }
    std::reverse(found.begin(), found.end());
    return found;
}

namespace {

/// Finds the faults of a part and when they count.
class FaultFinder {
public:
    FaultFinder(Builder& builder, const std::vector<NodeId>& nodes) : builder_{builder} {
        may_fault_.resize(builder.size(), false);
        for (const NodeId id : nodes) {
            bool faults = builder.node(id).op == Op::checked;
            for_each_operand(builder.node(id),
                             [&](NodeId operand) { faults = faults || may_fault_[operand]; });
            may_fault_[id] = faults;
        }
        selected_.resize(builder.size(), no_node);
    }

    void want(NodeId id, NodeId condition) {
        if (id >= may_fault_.size() || !may_fault_[id])
            return;
        selected_[id] =
            selected_[id] == no_node ? condition : builder_.any_of(selected_[id], condition);
    }

    /// From users to operands.
    std::vector<FaultCheck> run(const std::vector<NodeId>& nodes) {
        std::vector<FaultCheck> found;
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id)
            if (*id < selected_.size() && selected_[*id] != no_node)
                pass_on(*id, found);
        std::reverse(found.begin(), found.end());
        return found;
    }

private:
    void pass_on(NodeId id, std::vector<FaultCheck>& found) {
        const Node node = builder_.node(id); // a copy: making nodes moves them
        const NodeId when = selected_[id];
        switch (node.op) {
        case Op::select:
            want(node.a, when);
            want(node.b, and_also(when, node.a, node.b));
            want(node.c, and_not(when, node.a, node.c));
            break;
        case Op::both:
            want(node.a, when);
            want(node.b, and_also(when, node.a, node.b));
            break;
        case Op::either:
            want(node.a, when);
            want(node.b, and_not(when, node.a, node.b));
            break;
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
    std::vector<bool> may_fault_;
    std::vector<NodeId> selected_;
};

void find_reads(const Builder& builder, const FieldMap& fields, PartProgram& part) {
    std::map<std::uint32_t, std::uint64_t> reads;
    for (const NodeId id : part.nodes)
        if (const Node& node = builder.node(id); node.op == Op::load) {
            const auto field = fields.find({node.a, node.immediate});
            reads[node.a] |= field == fields.end()
                                 ? ~std::uint64_t{0}
                                 : std::uint64_t{1} << std::min<std::uint64_t>(field->second, 63);
        }
    for (const auto& [port, mask] : reads)
        part.reads.push_back({port, mask});
}

} // namespace

void finish_part(Builder& builder, const std::vector<Root>& roots, const FieldMap& fields,
                 PartProgram& part) {
    const std::vector<NodeId> wanted = reachable(builder, roots);
    FaultFinder finder{builder, wanted};
    for (const Root& root : roots) {
        finder.want(root.node, root.selected == no_node ? builder.boolean(true) : root.selected);
        if (root.selected != no_node)
            finder.want(root.selected, builder.boolean(true));
    }
    part.faults = finder.run(wanted);
    std::vector<Root> all = roots;
    for (const FaultCheck& fault : part.faults) {
        all.push_back({fault.bad});
        all.push_back({fault.selected});
    }
    part.nodes = reachable(builder, all);
    find_reads(builder, fields, part);
}

void finish_quiet_part(const Builder& builder, const FieldMap& fields, PartProgram& part) {
    std::vector<Root> roots;
    for (const NodeId result : part.results)
        roots.push_back({result});
    part.nodes = reachable(builder, roots);
    find_reads(builder, fields, part);
}

} // namespace sme::expr
