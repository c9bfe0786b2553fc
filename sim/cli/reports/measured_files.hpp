// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "network/graph.hpp"

namespace sme::cli {

/// The files that come of measuring a run: its time line and its schedule. Opened before the run,
/// so that what cannot be written is said at once. A schedule that is there is repeated instead.
class MeasuredFiles {
public:
    /// Complains of what goes wrong; the exit code, or fine.
    int open(const Options& options, const Graph& graph, engine::Engine& engine);
    /// After the run, unless no cycle ran. Why a file could not be written, or empty.
    std::string write(const Graph& graph, engine::Engine& engine);

private:
    std::optional<OutputFile> profile_;
    std::optional<OutputFile> schedule_; // unless one is repeated
};

} // namespace sme::cli
