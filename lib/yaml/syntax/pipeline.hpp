// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// A pipeline as written.
struct PipelineSyntax {
    /// "name: value", "state: value" or, in the last stage, "target: value".
    struct Line {
        expr::AstRef target;
        expr::Rhs rhs;
        Location where;
    };
    struct Stage {
        Location where;
        std::vector<Line> lines;
    };
    Location where;
    std::vector<Stage> stages;
    bool collapses = false; // stall: bubble; each stage stalls by itself
    Location stall;         // unknown if not written
    expr::AstRef balance;   // how many stages are added; null if absent
};

} // namespace sme::yaml
