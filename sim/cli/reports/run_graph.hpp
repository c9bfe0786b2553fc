// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"
#include "cli/reports/graph_file.hpp"
#include "coverage/activity_observer.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// The activity of buses in a run: counted for --graph or --report, drawn into the file of --graph.
class RunGraph {
public:
    /// Call before the first cycle. Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options, engine::Engine& engine);
    /// Call after the run; null if not counted.
    const Activity* activity() const { return observer_ ? &observer_->activity() : nullptr; }
    /// Returns `fine`, or the exit code after reporting the error.
    int write(const Loaded& loaded);

private:
    std::unique_ptr<coverage::ActivityObserver> observer_;
    GraphFile file_;
};

} // namespace sme::cli
