// SPDX-License-Identifier: Apache-2.0
//
// 1. Finds the carried values that are needed. 2. From the roots, operands before users, puts each
//    node into the innermost loop that it depends on. A node that two loops need is in both.
#include "expr/program/parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "expr/program/loop_faults.hpp"

namespace sme::expr {

namespace {

/// What a builder knows about loops, for a finished program.
class Made {
public:
    explicit Made(const Program& program) : program_{program} {
        for (NodeId id = 0; id < program.nodes.size(); ++id)
            free_.push_back(free_of(id));
    }
    const Node& node(NodeId id) const { return program_.nodes[id]; }
    const Loop& loop_at(NodeId id) const { return program_.loops[node(id).immediate]; }
    std::pair<NodeId, std::uint32_t> carrier(NodeId id) const { return carriers_.at(id); }
    const std::vector<NodeId>& free_in(NodeId id) const { return free_[id]; }

private:
    /// Returns the set of a node; earlier nodes are known.
    std::vector<NodeId> free_of(NodeId id) {
        std::set<NodeId> all;
        if (node(id).op == Op::step || node(id).op == Op::carried)
            return {id};
        if (node(id).op != Op::loop) {
            for_each_operand(node(id), [&](NodeId operand) {
                all.insert(free_[operand].begin(), free_[operand].end());
            });
            return {all.begin(), all.end()};
        }
        const Loop& loop = loop_at(id);
        for (const Loop::Carried& each : loop.carried)
            if (each.next < id)
                all.insert(free_[each.next].begin(), free_[each.next].end());
        all.erase(loop.step);
        for (std::uint32_t place = 0; place < loop.carried.size(); ++place) {
            all.erase(loop.carried[place].variable);
            carriers_[loop.carried[place].variable] = {id, place};
        }
        for (const Loop::Carried& each : loop.carried)
            if (each.start < id)
                all.insert(free_[each.start].begin(), free_[each.start].end());
        return {all.begin(), all.end()};
    }

    const Program& program_;
    std::vector<std::vector<NodeId>> free_;
    std::map<NodeId, std::pair<NodeId, std::uint32_t>> carriers_;
};

/// `View`: a builder or a finished program.
template <class View> class Scheduler {
public:
    Scheduler(const View& view, PartProgram& part) : b_{view}, part_{part} {
        for (PartLoop& loop : part.loops) {
            order_.push_back(loop.loop);
            writes_[loop.loop] = std::move(loop.memory_writes);
        }
        part.loops.clear();
        levels_.emplace_back();
    }

    void run(const std::vector<NodeId>& roots) {
        find_needed(roots);
        for (const NodeId loop : order_)
            place(loop);
        for (const NodeId root : roots)
            place(root);
        part_.nodes = std::move(levels_[0].nodes);
    }

private:
    struct Level {
        std::vector<NodeId> bound; // step and carried variables, ascending
        std::vector<NodeId> nodes;
        std::unordered_set<NodeId> placed;
    };

    void find_needed(std::vector<NodeId> roots) {
        for (const auto& [loop, writes] : writes_)
            for (const MemoryWrite& write : writes)
                roots.insert(roots.end(), {write.enable, write.word, write.value});
        visit_nodes(std::move(roots), [&](NodeId id, std::vector<NodeId>& open) {
            const Node& node = b_.node(id);
            const auto carry = [&](NodeId loop, std::uint32_t place) {
                needed_[loop].insert(place);
                const Loop::Carried& carried = b_.loop_at(loop).carried[place];
                open.insert(open.end(), {carried.start, carried.next});
            };
            if (node.op == Op::loop_result)
                carry(node.a, static_cast<std::uint32_t>(node.immediate));
            else if (node.op == Op::carried)
                carry(b_.carrier(id).first, b_.carrier(id).second);
            for_each_operand(node, [&](NodeId operand) { open.push_back(operand); });
        });
    }

    /// Returns the innermost open loop that a node depends on.
    std::size_t level_of(NodeId id) const {
        const std::vector<NodeId>& free = b_.free_in(id);
        for (std::size_t level = free.empty() ? 0 : levels_.size() - 1; level > 0; --level)
            for (const NodeId variable : free)
                if (std::binary_search(levels_[level].bound.begin(), levels_[level].bound.end(),
                                       variable))
                    return level;
        return 0;
    }

    enum class Stage : std::uint8_t { operands, node, loop_body, loop_end };

    /// Loops may use each other in chains of any length, so their bodies are not placed by
    /// recursion.
    void place(NodeId root) {
        Stack open{{root, Stage::operands}};
        while (!open.empty()) {
            const auto [id, stage] = open.back();
            open.pop_back();
            if (stage == Stage::loop_body)
                levels_.push_back(level_for(b_.loop_at(id)));
            else if (stage == Stage::loop_end)
                end_loop(id);
            else if (const Node& node = b_.node(id); node.op != Op::step &&
                                                     node.op != Op::carried &&
                                                     !levels_[level_of(id)].placed.contains(id)) {
                if (stage == Stage::operands) {
                    std::vector<NodeId> operands;
                    for_each_operand(node, [&](NodeId operand) { operands.push_back(operand); });
                    open.emplace_back(id, Stage::node);
                    push(open, operands);
                } else if (node.op == Op::loop)
                    open_loop(id, open);
                else
                    add(id);
            }
        }
    }

    using Stack = std::vector<std::pair<NodeId, Stage>>;
    /// The first is placed next.
    static void push(Stack& open, const std::vector<NodeId>& nodes) {
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            open.emplace_back(*node, Stage::operands);
    }

    void add(NodeId id) {
        Level& level = levels_[level_of(id)];
        level.placed.insert(id);
        level.nodes.push_back(id);
    }

    static Level level_for(const Loop& loop) {
        Level level;
        level.bound.push_back(loop.step);
        for (const Loop::Carried& each : loop.carried)
            level.bound.push_back(each.variable);
        std::sort(level.bound.begin(), level.bound.end());
        return level;
    }

    /// Places what the loop begins with, then its body in a level of its own.
    void open_loop(NodeId id, Stack& open) {
        const Loop& loop = b_.loop_at(id);
        std::vector<NodeId> starts, body;
        for (const std::uint32_t place : needed_[id]) {
            starts.push_back(loop.carried[place].start);
            body.push_back(loop.carried[place].next);
        }
        if (const auto writes = writes_.find(id); writes != writes_.end())
            for (const MemoryWrite& write : writes->second)
                body.insert(body.end(), {write.enable, write.word, write.value});
        open.emplace_back(id, Stage::loop_end);
        push(open, body);
        open.emplace_back(id, Stage::loop_body);
        push(open, starts);
    }

    void end_loop(NodeId id) {
        PartLoop result;
        result.loop = id;
        result.carried.assign(needed_[id].begin(), needed_[id].end());
        if (const auto writes = writes_.find(id); writes != writes_.end())
            result.memory_writes = writes->second;
        result.nodes = std::move(levels_.back().nodes);
        levels_.pop_back();
        const auto known = [&](const PartLoop& other) { return other.loop == id; };
        if (std::none_of(part_.loops.begin(), part_.loops.end(), known))
            part_.loops.push_back(std::move(result));
        add(id);
    }

    const View& b_;
    PartProgram& part_;
    std::vector<NodeId> order_; // loops with memory writes
    std::map<NodeId, std::vector<MemoryWrite>> writes_;
    std::map<NodeId, std::set<std::uint32_t>> needed_; // needed carried values of each loop
    std::vector<Level> levels_; // open loops, innermost last; the first level is the part
};

} // namespace

void schedule(const Builder& builder, const std::vector<NodeId>& roots, PartProgram& part) {
    Scheduler<Builder>{builder, part}.run(roots);
}

void schedule(const Program& program, const std::vector<NodeId>& roots, PartProgram& part) {
    const Made result{program};
    Scheduler<Made>{result, part}.run(roots);
}

namespace {

std::vector<NodeId> nodes_of(const std::vector<Root>& roots) {
    std::vector<NodeId> result;
    for (const Root& root : roots)
        for (const NodeId id : {root.node, root.selected})
            if (id != no_node)
                result.push_back(id);
    return result;
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
        const std::uint32_t port = port_of(node);
        if (port == no_node)
            return;
        const auto field = fields.find({port, node.immediate});
        reads[port] |= field == fields.end()
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
