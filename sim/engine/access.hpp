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
    /// Keeps what the engine uses until it is gone. No observer can be attached afterwards.
    static void keep(Simulator& simulator, std::shared_ptr<const void> used);
};

} // namespace sme
