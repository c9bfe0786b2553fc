// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "judge/invariant_checker.hpp"
#include "report/report.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

/// "1000 processes, 1000 buses".
std::string size_of(const Graph& graph);

/// The summary of a run; equal for equal network, inputs and seed. `judge`: null if the run was not
/// judged.
std::string summary_of(const Loaded& loaded, const session::Outcome& run,
                       const validator::InvariantChecker* judge = nullptr);

/// The counts of a check: "evaluated 201 times".
std::string counts_of_check(const Loaded& loaded, std::size_t check);

/// "  passed       out.csv: 3 rows as expected\n".
std::string recording_line(const interpret::RecordingFile& file);

/// "the check 'always: x == 3' failed in cycle 7: 'x' is 4".
std::string failure_text(const expr::Check& check, const interpret::Verdict& verdict);

/// The failed checks and expected outputs, each with its location.
std::vector<Diagnostic> failures_of(const Loaded& loaded);

/// The cycles of these failures, ascending.
std::vector<std::uint64_t> failed_cycles(const Loaded& loaded);

/// True if a check or an expected output failed.
bool any_failed(const Loaded& loaded);

/// The checks and expected outputs that are unreached or pending after `cycles` cycles.
std::vector<Diagnostic> unreached_of(const Loaded& loaded, std::uint64_t cycles);

/// The checks and expected outputs that are unreached or pending at the regular end of a strict
/// run; otherwise empty, because such checks are only counted.
std::vector<Diagnostic> strict_failures_of(const Loaded& loaded, const session::Outcome& run);

/// True if a run without a fault failed nevertheless: by a check or output, a violation or
/// strictness.
bool has_failed(const Loaded& loaded, const session::Outcome& run,
                const validator::InvariantChecker* judge);

using report::Outcome;

/// All outcomes: the run first, then checks and outputs in the order of the network. `judge` may be
/// null.
std::vector<Outcome> outcomes_of(const Loaded& loaded, const session::Outcome& run,
                                 const validator::InvariantChecker* judge);

/// Which run of a network the outcomes belong to.
struct RunKey {
    std::map<std::string, std::string> parameters; // as given with --set
    std::uint64_t seed = 0;
};

/// All outcomes as JSON, for programs; see sim/cli/README.md.
std::string results_json(const Loaded& loaded, const RunKey& key, const session::Outcome& run,
                         const validator::InvariantChecker* judge);

/// All outcomes as JUnit XML, for continuous integration: one test case each.
std::string results_junit(const Loaded& loaded, const session::Outcome& run,
                          const validator::InvariantChecker* judge);

} // namespace sme::cli
