// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"
#include "engine/engine.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

/// How the threads of a run spent their time, by thread and level, from the cycles that were
/// measured; `asked` is the number of threads that was asked for, 0 for auto.
std::string thread_report(engine::Engine& engine, unsigned asked);

/// What was measured, as a time line.
std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph);

/// Writes what was measured as a time line, and commits the file, which may be good or not.
void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file);

} // namespace sme::cli
