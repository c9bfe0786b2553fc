// SPDX-License-Identifier: Apache-2.0
#include "cli/run_trace.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

int RunTrace::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                   const std::string& path) {
    if (path.empty() && options.keep_last > 0) {
        complain(Code::bad_option, "--keep-last says how much of a trace is kept; give --trace "
                                   "FILE.vcd as well");
        return exit_code::usage;
    }
    if (path.empty())
        return exit_code::fine;
    trace::TracerOptions made;
    made.format = &trace::format_of(path);
    made.keep_last = options.keep_last;
    made.keep = [&engine] {
        return engine.ending() == engine::Ending::interrupted ||
               engine.ending() >= engine::Ending::check_failed;
    };
    made.period = trace::ClockPeriod::of(loaded.design.clock_ps);
    made.select = options.trace_select;
    made.state = options.trace_state;
    path_ = path;
    tracer_ = std::make_unique<trace::Tracer>(path, made);
    if (tracer_->good())
        engine.attach(*tracer_);
    if (tracer_->good())
        return exit_code::fine;
    const bool nothing_selected = tracer_->selects_nothing();
    complain(nothing_selected ? Code::bad_option : Code::file_unwritable, tracer_->problem());
    return nothing_selected ? exit_code::usage : exit_code::file;
}

std::string RunTrace::kept_line(const Options& options, const engine::Engine& engine) const {
    if (!tracer_ || options.keep_last == 0 || !tracer_->good())
        return {};
    if (const auto from = tracer_->kept_from())
        return fmt::format("  kept         {}: cycles {} to {}\n", path_, *from,
                           engine.cycle() - 1);
    return fmt::format("  not kept     {}: nothing went wrong\n", path_);
}

} // namespace sme::cli
