// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/quiet_run.hpp"

#include <utility>

#include "base/codes.hpp"
#include "cli/reports/findings.hpp"
#include "cli/reports/summary.hpp"
#include "cli/signals.hpp"
#include "engine/engine.hpp"
#include "session/run_loop.hpp"

namespace sme::cli {

QuietRun run_quietly(const Options& options, LoadHooks hooks,
                     const std::function<std::optional<std::uint64_t>(const Loaded&)>& cycles) {
    QuietRun made;
    made.exit_code = exit_code::usage;
    const LoadResult result =
        load_network(options, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network) {
        if (!result.library)
            made.exit_code = result.exit_code;
        return made;
    }
    const Loaded& loaded = *result.network;
    const std::optional<std::uint64_t> most = cycles(loaded);
    if (!most)
        return made;
    for (const auto& recording : loaded.recordings)
        recording->write_nothing();
    engine::Options how;
    how.run.seed = options.run.seed;
    how.run.threads = 1;
    Diagnostics diagnostics;
    engine::Engine engine{loaded.design.graph, loaded.analysis, how, diagnostics};
    if (diagnostics.has_errors()) {
        show(diagnostics);
        return made;
    }
    session::BetweenSlices between;
    between.look = [] { return !interrupted(); };
    const bool went_on = session::run_until(engine, *most, between);
    engine.finish();
    made.cycles = engine.cycle();
    made.faults = engine.faults();
    made.failures = failures_of(loaded);
    for (Diagnostic& unreached : strict_failures_of(loaded, engine))
        made.failures.push_back(std::move(unreached));
    const bool is_deadlock = !made.faults.empty() && made.faults[0].code == Code::deadlock;
    if (!went_on)
        made.exit_code = signal_exit_code();
    else if (is_deadlock)
        made.end = QuietEnd::deadlock;
    else if (!made.faults.empty() || engine.ending() == engine::Ending::check_failed)
        made.exit_code = exit_code::model_failed;
    else
        made.end = engine.ending() == engine::Ending::completed ? QuietEnd::cut : QuietEnd::done;
    return made;
}

} // namespace sme::cli
