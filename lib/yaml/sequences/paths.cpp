// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/paths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

SequencePath SequencePaths::follow(const SequenceEdge& edge, bool only_static) {
    open_.clear();
    ends_ = 0;
    return follow(edge, {}, only_static);
}

bool SequencePaths::is_static(const SequencePoint& decision) const {
    return (!decision.condition || values_.is_static(*decision.condition)) &&
           std::all_of(decision.arms.begin(), decision.arms.end(),
                       [&](const SequencePoint::Arm& arm) {
                           const auto& sets = arm.edge.sets;
                           return (!arm.condition || values_.is_static(*arm.condition)) &&
                                  std::all_of(sets.begin(), sets.end(), [&](const auto& each) {
                                      return values_.is_static(*each.second);
                                  });
                       });
}

SequencePath SequencePaths::follow(const SequenceEdge& edge, IndexValues sets, bool only_static) {
    constexpr std::uint64_t most_ends = 10'000;
    const Rewriter as_set{[before = sets](const AstRef& tree) -> AstRef {
        const auto found = tree->kind == Ast::Kind::name ? before.find(tree->text) : before.end();
        return found == before.end() ? nullptr : found->second;
    }};
    for (const auto& [index, value] : edge.sets)
        sets[index] = as_set(value);
    const SequencePoint& point = graph_.points[edge.to];
    SequencePath path;
    path.to = edge.to;
    if (!point.is_decision() || (only_static && !is_static(point))) {
        path.sets = std::move(sets);
        ++ends_;
        return path;
    }
    if (!open_.insert(edge.to).second) {
        diagnostics_.add(Code::bad_sequence, point.where,
                         "this can come round again without an item that takes a cycle; "
                         "'pause: 1' takes one");
        return path;
    }
    const Rewriter now{[&](const AstRef& tree) -> AstRef {
        const auto found = tree->kind == Ast::Kind::name ? sets.find(tree->text) : sets.end();
        return found == sets.end() ? nullptr : found->second;
    }};
    if (point.arms.size() == 1 && !point.condition && !point.arms[0].condition)
        path = follow(point.arms[0].edge, sets, only_static);
    else {
        path.decision = &point;
        path.condition = now(point.condition);
        for (const SequencePoint::Arm& arm : point.arms) {
            if (failed())
                break;
            path.arms.push_back({now(arm.condition), &arm.patterns, arm.where,
                                 follow(arm.edge, sets, only_static)});
        }
    }
    open_.erase(edge.to);
    if (ends_ > most_ends && !failed())
        diagnostics_.add(Code::too_large, point.where,
                         "these decisions lead to the next items on more than 10000 ways; put an "
                         "item that takes a cycle between them");
    return path;
}

} // namespace sme::yaml
