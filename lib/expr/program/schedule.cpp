// SPDX-License-Identifier: Apache-2.0
//
// 1. Finds the carried values that are needed. 2. From the roots, operands before users, puts each
//    node into the innermost loop that it depends on. A node that two loops need is in both.
#include "expr/program/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "expr/program/parts.hpp"

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

    void place(NodeId root) {
        std::vector<std::pair<NodeId, bool>> open{{root, false}};
        while (!open.empty()) {
            const auto [id, ready] = open.back();
            open.pop_back();
            const std::size_t level = level_of(id);
            const Node& node = b_.node(id);
            if (node.op == Op::step || node.op == Op::carried || levels_[level].placed.contains(id))
                continue;
            if (!ready) {
                open.emplace_back(id, true);
                std::vector<NodeId> operands;
                for_each_operand(node, [&](NodeId operand) { operands.push_back(operand); });
                for (auto operand = operands.rbegin(); operand != operands.rend(); ++operand)
                    open.emplace_back(*operand, false);
                continue;
            }
            if (node.op == Op::loop)
                place_loop(id);
            levels_[level].placed.insert(id);
            levels_[level].nodes.push_back(id);
        }
    }

    void place_loop(NodeId id) {
        const Loop& loop = b_.loop_at(id);
        PartLoop made;
        made.loop = id;
        made.carried.assign(needed_[id].begin(), needed_[id].end());
        for (const std::uint32_t place : made.carried)
            this->place(loop.carried[place].start);
        if (const auto writes = writes_.find(id); writes != writes_.end())
            made.memory_writes = writes->second;
        Level& level = levels_.emplace_back();
        level.bound.push_back(loop.step);
        for (const Loop::Carried& each : loop.carried)
            level.bound.push_back(each.variable);
        std::sort(level.bound.begin(), level.bound.end());
        for (const std::uint32_t place : made.carried)
            this->place(loop.carried[place].next);
        for (const MemoryWrite& write : made.memory_writes)
            for (const NodeId node : {write.enable, write.word, write.value})
                this->place(node);
        made.nodes = std::move(levels_.back().nodes);
        levels_.pop_back();
        const auto known = [&](const PartLoop& other) { return other.loop == id; };
        if (std::none_of(part_.loops.begin(), part_.loops.end(), known))
            part_.loops.push_back(std::move(made));
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
    const Made made{program};
    Scheduler<Made>{made, part}.run(roots);
}

} // namespace sme::expr
