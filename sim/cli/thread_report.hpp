// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/engine.hpp"

namespace sme::cli {

/// How the threads of a run spent their time, by thread and level, from the cycles that were
/// measured; `asked` is the number of threads that was asked for, 0 for auto.
std::string thread_report(engine::Engine& engine, unsigned asked);

/// Writes what was measured as a time line. Why it could not; empty when it did.
std::string write_profile(engine::Engine& engine, const Graph& graph, const std::string& path);

} // namespace sme::cli
