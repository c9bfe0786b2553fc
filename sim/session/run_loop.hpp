// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "engine/engine.hpp"
#include "session/checkpoints.hpp"
#include "session/native_run.hpp"

namespace sme::session {

/// What is done between the slices of a run, each of about a twentieth of a second. Any may be
/// null.
struct BetweenSlices {
    /// Returns whether the run goes on.
    std::function<bool()> look = {};
    /// Saved in when it is time, unless the run does not go on.
    Checkpoints* checkpoints = nullptr;
    /// Compiles beside the run when that is worth it.
    NativeRun* native = nullptr;
    /// The network ends by itself, long before `until`: how many cycles are left is not known.
    bool endless = false;
};

/// Runs until that cycle is next, or until the run ends. Returns false when `look` ended it before,
/// and nothing else did. Throws as Engine::run does.
bool run_until(engine::Engine& engine, std::uint64_t until, const BetweenSlices& between);

} // namespace sme::session
