// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/metastable_runs.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/quiet_run.hpp"
#include "cli/reports/counted.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"

namespace sme::cli {

namespace {

constexpr unsigned metastable_rounds = 8;

/// Runs the network once, with this seed.
QuietRun run_with(std::uint64_t seed, const Options& options) {
    Options own = options;
    *own.metastability = seed;
    own.run.seed = seed;
    LoadHooks hooks;
    hooks.quiet = true;
    return run_quietly(own, std::move(hooks), [&](const Loaded& loaded) {
        std::optional<std::uint64_t> cycles;
        if (loaded.design.sampled_inputs == 0)
            complain(Code::bad_domain,
                     "the network has no input that says 'crosses: {x: sampled}', "
                     "so nothing can be metastable; std/synchroniser.yaml and the "
                     "other crossings of the standard library have one");
        else if (cycles = cycles_to_run(options, loaded); !cycles)
            complain(Code::bad_cycles, "nothing says how many cycles to run; give --cycles N");
        return cycles;
    });
}

} // namespace

int judge_metastable_runs(const Options& options) {
    for (unsigned round = 0; round < metastable_rounds; ++round) {
        const std::uint64_t seed = *options.metastability + round;
        const QuietRun made = run_with(seed, options);
        std::vector<Diagnostic> found = made.faults;
        found.insert(found.end(), made.failures.begin(), made.failures.end());
        if (made.end == QuietEnd::failed && (found.empty() || interrupted()))
            return interrupted() ? signal_exit_code() : made.exit_code;
        if (!found.empty()) {
            show(found);
            fmt::print("  {:<12} with metastable inputs, run {} of {}: it fails after {} cycles; "
                       "'sme run --metastability {}' shows it\n",
                       "FAILED", round + 1, metastable_rounds, made.cycles, seed);
            return exit_code::model_failed;
        }
    }
    fmt::print("  {:<12} {} with metastable inputs\n", "passed",
               counted(metastable_rounds, "run", "runs"));
    return exit_code::fine;
}

} // namespace sme::cli
