// SPDX-License-Identifier: Apache-2.0
#include "expr/program/loop_words.hpp"

#include <algorithm>
#include <unordered_map>

#include "expr/program/parts.hpp"
#include "expr/program/scalar_ops.hpp"

namespace sme::expr {

namespace {

constexpr std::uint64_t max_words = 4'000'000;

/// Returns true if an operation depends only on steps and constants.
bool is_plain(Op op) {
    return op == Op::constant || op == Op::step || op == Op::checked || is_value(op);
}

} // namespace

std::optional<std::vector<std::uint64_t>> LoopWords::computed(NodeId word) const {
    const std::vector<NodeId>& free = b_.free_in(word);
    if (free.size() > 1 || (free.size() == 1 && b_.node(free[0]).op != Op::step))
        return std::nullopt;
    const std::uint64_t count = free.empty() ? 1 : b_.steps_of(free[0]);
    const std::vector<NodeId> nodes = reachable(b_, {{word}});
    for (const NodeId id : nodes)
        if (!is_plain(b_.node(id).op) || count > max_words)
            return std::nullopt;
    std::vector<std::uint64_t> made;
    std::unordered_map<NodeId, std::uint64_t> values;
    for (std::uint64_t step = 0; step < count; ++step) {
        if (!free.empty())
            values[free[0]] = step;
        for (const NodeId id : nodes) {
            const Node& node = b_.node(id);
            if (node.op == Op::step)
                continue;
            const auto value = [&](NodeId operand) {
                return operand == no_node ? 0 : values.at(operand);
            };
            values[id] = node.op == Op::constant ? node.immediate
                         : node.op == Op::checked
                             ? value(node.a)
                             : evaluate(node.op, node.type, b_.type(node.a), value(node.a),
                                        value(node.b), value(node.c));
        }
        made.push_back(values.at(word));
    }
    std::sort(made.begin(), made.end());
    return made;
}

const std::vector<std::uint64_t>* LoopWords::of(NodeId word) {
    auto found = known_.find(word);
    if (found == known_.end())
        found = known_.emplace(word, computed(word)).first;
    return found->second ? &*found->second : nullptr;
}

std::optional<bool> LoopWords::meet(NodeId a, NodeId b) {
    const std::vector<std::uint64_t>*x = of(a), *y = of(b);
    if (!x || !y)
        return std::nullopt;
    for (auto i = x->begin(), j = y->begin(); i != x->end() && j != y->end();)
        if (*i == *j)
            return true;
        else
            *i < *j ? ++i : ++j;
    return false;
}

} // namespace sme::expr
