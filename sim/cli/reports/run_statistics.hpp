// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "interpret/observers/waits.hpp"
#include "session/native_run.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

/// The lines of --stats about native code.
std::string native_report(const Options& options, const session::NativeRun& run);

/// Writes the C code for --emit-c and creates its folder; reports errors. Returns the exit code.
int write_c(const std::string& path, const native::CModule& unit);

/// Reports how the threads of a run spent their time, by thread and level, from the measured
/// cycles. `asked`: the requested number of threads, 0 for auto.
std::string thread_report(engine::Engine& engine, unsigned asked);

/// The measurements as a time line.
std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph);

/// Writes the measurements as a time line, and commits the file, whether or not writing succeeds.
void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file);

/// Reports where actors waited longest in this number of cycles; empty if nothing was counted.
std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles);

} // namespace sme::cli
