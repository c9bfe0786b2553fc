// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <vector>

#include "yaml/sequences/graph.hpp"

namespace sme::yaml {

/// Where a way leads, by the decisions on it.
struct SequencePath {
    struct Arm;
    const SequencePoint* decision = nullptr; // null: the way ends at `to`
    std::uint32_t to = 0;
    IndexValues sets;       // from the beginning of the way
    expr::AstRef condition; // the subject of a match
    std::vector<Arm> arms;
};

struct SequencePath::Arm {
    expr::AstRef condition;
    const std::vector<expr::Pattern>* patterns;
    Location where;
    SequencePath path;
};

/// Follows ways through the decisions of a sequence.
class SequencePaths {
public:
    SequencePaths(const SequenceGraph& graph, SequenceValues& values)
        : graph_{graph}, values_{values},
          diagnostics_{values.context().diagnostics}, errors_{diagnostics_.errors()} {}

    /// Follows a way to the next items. With `only_static`, it also ends at decisions whose
    /// conditions may differ in the next cycle. Reports loops that take no cycle.
    SequencePath follow(const SequenceEdge& edge, bool only_static);
    /// Returns true after an error was reported.
    bool failed() const { return diagnostics_.errors() != errors_; }

private:
    SequencePath follow(const SequenceEdge& edge, IndexValues sets, bool only_static);
    bool is_static(const SequencePoint& decision) const;

    const SequenceGraph& graph_;
    SequenceValues& values_;
    Diagnostics& diagnostics_;
    std::size_t errors_;
    std::set<std::uint32_t> open_; // decisions on the way
    std::uint64_t ends_ = 0;       // found since the beginning of the way
};

/// Calls visit(to, sets) for each end of a path.
template <class Visit> void for_each_end(const SequencePath& path, const Visit& visit) {
    if (!path.decision)
        return visit(path.to, path.sets);
    for (const SequencePath::Arm& arm : path.arms)
        for_each_end(arm.path, visit);
}

} // namespace sme::yaml
