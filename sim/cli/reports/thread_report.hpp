// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "engine/engine.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

/// Reports how the threads of a run spent their time, by thread and level, from the measured
/// cycles. `asked`: the requested number of threads, 0 for auto.
std::string thread_report(engine::Engine& engine, unsigned asked);

/// The measurements as a time line.
std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph);

/// Writes the measurements as a time line, and commits the file, whether or not writing succeeds.
void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file);

} // namespace sme::cli
