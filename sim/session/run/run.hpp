// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/diagnostic.hpp"
#include "engine/engine.hpp"
#include "network/graph.hpp"
#include "session/run/outcome.hpp"

namespace sme {
class Simulator;
}

namespace sme::session {

/// One run of one network. Every command and every library runs networks with this class.
class Run {
public:
    /// Builds the engine. `graph` must outlive the run, and `analysis` must be its analysis. Errors
    /// go to `diagnostics`; the run is then not `ok`, and nothing else may be called.
    Run(const Graph& graph, const Analysis& analysis, const engine::Options& options,
        Diagnostics& diagnostics);
    /// Analyses the graph first.
    Run(const Graph& graph, const engine::Options& options, Diagnostics& diagnostics);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    bool ok() const { return ok_; }
    const Graph& graph() const { return graph_; }
    engine::Engine& engine() { return *engine_; }
    const engine::Engine& engine() const { return *engine_; }
    std::uint64_t cycle() const { return engine_->cycle(); }

    /// Keeps what the engine uses until it is destroyed, such as native code; released last.
    std::shared_ptr<void>& used() { return used_; }

    /// Returns how the run ended, or that it has not ended.
    Outcome outcome() const;
    /// Shows observers the values after the last cycle, and closes them. Call it once only.
    Outcome finish();

private:
    const Graph& graph_;
    std::shared_ptr<void> used_; // outlives the engine
    std::unique_ptr<engine::Engine> engine_;
    bool ok_ = false;
};

} // namespace sme::session

namespace sme {

/// Gives other parts access to the internals of a C++ `Simulator`.
class SimulatorAccess {
public:
    static session::Run& run(Simulator& simulator);
    static engine::Engine& engine(Simulator& simulator) { return run(simulator).engine(); }
    /// The network as described.
    static const Graph& graph(const Simulator& simulator);
    /// True if an auditor observes each step.
    static bool is_judged(const Simulator& simulator);
    /// Throws CheckpointError with the reasons why the simulator cannot be saved.
    static void check_savable(Simulator& simulator);
};

} // namespace sme
