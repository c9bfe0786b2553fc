// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "engine/engine.hpp"
#include "judge/judge.hpp"

namespace sme::cli {

/// What became of one check, of one recorded output, or of the run as a whole.
struct Outcome {
    enum class Kind : std::uint8_t { passed, failed, faulted, skipped };
    Kind kind = Kind::passed;
    std::string owner; // the process or instance of a component whose check it is; or empty
    std::string name;  // "always: x == 3"
    Location where;
    std::string word; // "passed", "failed", "not reached", "pending", …
    std::string why;  // of what has not passed; several lines
    const expr::Check* check = nullptr;
    const interpret::CheckResult* verdict = nullptr;
    const interpret::RecordingFile* recording = nullptr;
};

/// All of them: the run first, then checks and outputs as they stand in the network.
/// `judge` may be null.
std::vector<Outcome> outcomes_of(const Loaded& loaded, const engine::Engine& engine,
                                 const validator::Judge* judge);

/// "completed", "halted", "check-failed", "faulted", "interrupted".
std::string_view word_of(engine::Ending ending);

/// The same as JSON, for programs; see sim/cli/README.md.
std::string results_json(const Loaded& loaded, const engine::Engine& engine,
                         const validator::Judge* judge);

/// The same as JUnit XML, for continuous integration: a test case each.
std::string results_junit(const Loaded& loaded, const engine::Engine& engine,
                          const validator::Judge* judge);

} // namespace sme::cli
