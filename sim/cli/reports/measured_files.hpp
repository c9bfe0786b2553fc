// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "network/graph.hpp"

namespace sme::cli {

/// The files measured during a run: time line and schedule. Opens them before the run, to report
/// write errors early. Repeats an existing schedule instead of writing one.
class MeasuredFiles {
public:
    /// Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options, const Graph& graph, engine::Engine& engine);
    /// Call after the run, unless no cycle ran. Returns why a file could not be written, or empty.
    std::string write(const Graph& graph, engine::Engine& engine);

private:
    std::optional<OutputFile> profile_;
    std::optional<OutputFile> schedule_; // absent if an existing schedule is repeated
};

} // namespace sme::cli
