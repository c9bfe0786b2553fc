// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "judge/judge.hpp"

namespace sme::cli {

/// The outcome of one check, of one recorded output, or of the whole run.
struct Outcome {
    enum class Kind : std::uint8_t { passed, failed, faulted, skipped };
    Kind kind = Kind::passed;
    std::string owner; // the process or component instance of the check; or empty
    std::string name;  // "always: x == 3"
    Location where;
    std::string word; // "passed", "failed", "not reached", "pending", …
    std::string why;  // explanation unless it passed; several lines
    const expr::Check* check = nullptr;
    const interpret::CheckResult* verdict = nullptr;
    const interpret::RecordingFile* recording = nullptr;
};

/// All outcomes: the run first, then checks and outputs in the order of the network. `judge` may be
/// null.
std::vector<Outcome> outcomes_of(const Loaded& loaded, const engine::Engine& engine,
                                 const validator::Judge* judge);

/// "completed", "halted", "check-failed", "faulted", "interrupted".
std::string_view word_of(engine::Ending ending);

/// All outcomes as JSON, for programs; see sim/cli/README.md.
std::string results_json(const Loaded& loaded, const engine::Engine& engine,
                         const validator::Judge* judge);

/// All outcomes as JUnit XML, for continuous integration: one test case each.
std::string results_junit(const Loaded& loaded, const engine::Engine& engine,
                          const validator::Judge* judge);

} // namespace sme::cli
