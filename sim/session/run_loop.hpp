// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "interpret/observers/checks.hpp"
#include "session/run/run.hpp"
#include "yaml/design.hpp"

namespace sme::interpret {
class CoverCounts;
class RecordingFile;
} // namespace sme::interpret

namespace sme::session {

class Checkpoints;
class NativeRun;

/// The work between slices of a run; a slice takes about a twentieth of a second. Any member may be
/// null.
struct BetweenSlices {
    /// Returns true if the run continues.
    std::function<bool()> look = {};
    /// Saves the run when due, if the run continues.
    Checkpoints* checkpoints = nullptr;
    /// Compiles in parallel with the run if that pays off.
    NativeRun* native = nullptr;
    /// The network ends by itself, long before `until`: the number of remaining cycles is unknown.
    bool endless = false;
};

/// Runs until `until` is the next cycle, or the run ends. Returns false if only `look` ended it
/// early. Throws as Engine::run does.
bool run_until(Run& run, std::uint64_t until, const BetweenSlices& between = {});

/// The results of the observers of one loaded network, for one simulator at a time: each simulator
/// resets them.
struct Observed {
    Observed();

    std::shared_ptr<interpret::Verdicts> verdicts;
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;
    /// Filled when a network is built with coverage.
    std::shared_ptr<std::vector<std::shared_ptr<interpret::CoverCounts>>> covered;
};

/// Returns factories for everything that a network file can contain. Processes, checks and
/// recordings are interpreted, and write their results to `observed`, which must outlive the
/// loading. With a null `verilog`, a network with Verilog is an error.
yaml::GroupFactories factories(Observed& observed, VerilogModules* verilog = nullptr);

/// As `factories`, but every simulator keeps the results of its observers in their groups
/// (interpret::verdicts_of, interpret::recording_of). With `write_outputs` false, recorded rows are
/// compared but not written.
yaml::GroupFactories factories_of_each(bool write_outputs, VerilogModules* verilog = nullptr);

} // namespace sme::session
