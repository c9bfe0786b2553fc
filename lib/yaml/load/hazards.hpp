// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// A state of a process with hazards.
struct HazardState {
    expr::FamilyName name;
    expr::Declaration declaration;
    bool every_cycle = false; // as in StateText
};

/// The inputs that a process samples from another clock domain ('crosses: {x: sampled}').
///
/// A register that is clocked while its input changes may take the old or the new value, each bit
/// for itself, and settles by the next edge. So with hazards `x` is, bit by bit and at random, what
/// is there, or what was there before it changed last, unless an edge has seen it since.
class Hazards {
public:
    Hazards(const std::vector<CrossingSyntax>& crossings, Context& context)
        : crossings_{crossings}, context_{context} {}

    /// Reports inputs that cannot be sampled.
    void check(const expr::ProcessView& text) const;
    /// Puts the hazards into a process. The states that they need are still to be added.
    std::vector<HazardState> add(expr::ProcessView& text) const;

private:
    const std::vector<CrossingSyntax>& crossings_;
    Context& context_;
};

} // namespace sme::yaml
