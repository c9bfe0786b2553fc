// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds a signal for each clock that does not rise in every cycle, for waveforms: "slow.clock".
void add_clock_signals(Context& context);

/// A state of a process with metastability.
struct MetastableState {
    expr::FamilyName name;
    expr::Declaration declaration;
    bool every_cycle = false; // as in StateText
};

/// The inputs that a process samples from another clock domain ('crosses: {x: sampled}').
///
/// A register clocked while its input changes may take the old or the new value of each bit, and
/// settles by the next edge. So with metastability, each bit of `x` is, at random, the current
/// value or the value before the last change, unless an edge has sampled it since.
class Metastability {
public:
    Metastability(const std::vector<CrossingSyntax>& crossings, Context& context)
        : crossings_{crossings}, context_{context} {}

    /// Reports inputs that cannot be sampled.
    void check(const expr::ProcessView& text) const;
    /// Adds the metastability to a process. Returns the states that they need; the caller adds
    /// them.
    std::vector<MetastableState> add(expr::ProcessView& text) const;

private:
    const std::vector<CrossingSyntax>& crossings_;
    Context& context_;
};

} // namespace sme::yaml
