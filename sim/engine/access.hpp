// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engine/engine.hpp"
#include "sme/simulator.hpp"

namespace sme {

/// Gives other parts access to the internals of a C++ `Simulator`.
class SimulatorAccess {
public:
    static engine::Engine& engine(Simulator& simulator);
    /// The network as described.
    static const Graph& graph(const Simulator& simulator);
    /// True if an auditor observes each step.
    static bool is_judged(const Simulator& simulator);
    /// Throws CheckpointError with the reasons why the simulator cannot be saved.
    static void check_savable(const Simulator& simulator);
    /// An object that the engine uses until it is destroyed: native code, or null. Once it is set,
    /// no observer can be attached.
    static std::shared_ptr<void>& used(Simulator& simulator);
};

} // namespace sme
