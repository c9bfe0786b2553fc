// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engine/engine.hpp"
#include "sme/simulator.hpp"

namespace sme {

/// For parts that look inside a simulator of C++.
class SimulatorAccess {
public:
    static engine::Engine& engine(Simulator& simulator);
    /// The network as it was described.
    static const Graph& graph(const Simulator& simulator);
    /// Whether an auditor looks at each step.
    static bool is_judged(const Simulator& simulator);
    /// Throws CheckpointError with the reasons why the simulator cannot be saved.
    static void check_savable(const Simulator& simulator);
    /// What the engine uses until it is gone: native code; null: nothing. Once it is set, no
    /// observer can be attached.
    static std::shared_ptr<void>& used(Simulator& simulator);
};

} // namespace sme
