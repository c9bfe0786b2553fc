// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"
#include "cli/reports/graph_file.hpp"
#include "coverage/activity_observer.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// How much the buses of a run are used: counted where --graph or --report asks for it, and drawn
/// into the file of --graph.
class RunGraph {
public:
    /// Before the first cycle. Complains of what goes wrong; the exit code, or fine.
    int open(const Options& options, engine::Engine& engine);
    /// When the run has ended; null: not asked for.
    const Activity* activity() const { return observer_ ? &observer_->activity() : nullptr; }
    /// Returns an exit code; other than fine, it has been explained.
    int write(const Loaded& loaded);

private:
    std::unique_ptr<coverage::ActivityObserver> observer_;
    GraphFile file_;
};

} // namespace sme::cli
