// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

/// `sme run --untimed`; returns the exit code.
int run_untimed(const Options& options);

/// A run that writes no file and prints no result; only its outcome is used.
struct QuietRun {
    session::Outcome outcome;         // interrupted if no cycle could run
    int exit_code = exit_code::fine;  // of a failed run
    std::vector<Diagnostic> failures; // of checks and expected outputs

    /// Not for a deadlock, which other depths may resolve.
    bool has_failed() const { return !outcome.ending().well && !outcome.is_deadlock(); }
};

/// Loads a network and runs it on one thread, interpreted. `cycles` returns the number of cycles
/// for the loaded network; `nullopt` skips the run, after reporting the reason.
QuietRun run_quietly(const Options& options, LoadSettings settings,
                     const std::function<std::optional<std::uint64_t>(const Loaded&)>& cycles);

/// Runs a network several times with random stalls in all channels, and compares the messages of
/// each channel with those of a run without stalls. Prints the findings and returns the exit code.
int compare_stalled_runs(const Options& options);

/// Runs a network several times; in each run, values that cross between clock domains arrive at
/// random one edge late. Its checks and expected outputs must hold in each run. Prints the findings
/// and returns the exit code.
int judge_metastable_runs(const Options& options);

} // namespace sme::cli
