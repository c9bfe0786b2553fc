// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "engine/engine.hpp"
#include "session/checkpoints.hpp"
#include "session/native_run.hpp"

namespace sme::session {

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
bool run_until(engine::Engine& engine, std::uint64_t until, const BetweenSlices& between);

} // namespace sme::session
