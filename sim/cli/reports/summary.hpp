// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "judge/judge.hpp"

namespace sme::cli {

/// "1000 processes, 1000 buses".
std::string size_of(const Graph& graph);

/// What came out of a run: the same for the same network, inputs and seed. `judge`: who judged it;
/// null: nobody.
std::string summary_of(const Loaded& loaded, const engine::Engine& engine,
                       const validator::Judge* judge = nullptr);

/// What is counted of a check: "evaluated 201 times".
std::string counts_of_check(const Loaded& loaded, std::size_t check);

/// "  passed       out.csv: 3 rows as expected\n".
std::string recording_line(const interpret::RecordingFile& file);

/// "the check 'always: x == 3' failed in cycle 7: 'x' is 4".
std::string failure_text(const expr::Check& check, const interpret::CheckResult& verdict);

/// The checks and the expected outputs that failed, each with its place.
std::vector<Diagnostic> failures_of(const Loaded& loaded);

/// The cycles in which they did, ascending.
std::vector<std::uint64_t> failed_cycles(const Loaded& loaded);

/// Whether a check or an expected output failed.
bool any_failed(const Loaded& loaded);

/// The checks and the expected outputs that were not reached or are pending after these cycles.
std::vector<Diagnostic> unreached_of(const Loaded& loaded, std::uint64_t cycles);

/// The checks and the expected outputs that were not reached or are pending when a run ends well
/// that is to be strict; otherwise none, as they are only counted.
std::vector<Diagnostic> strict_failures_of(const Loaded& loaded, const engine::Engine& engine);

/// Whether a run that did not fault counts as failed: by a failure, a violation or strictness.
bool has_failed(const Loaded& loaded, const engine::Engine& engine, const validator::Judge* judge);

} // namespace sme::cli
