// SPDX-License-Identifier: Apache-2.0
#include "cli/run_trace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/reports/counted.hpp"
#include "cli/reports/findings.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

namespace {

/// What --trace-state does not show: memories, whose words are not on buses. Empty: nothing.
std::string memories_left_out(const Options& options, const Graph& graph) {
    constexpr std::size_t most_named = 8;
    const trace::Selection selection{options.trace_select};
    std::vector<std::string> names;
    for (const ProcessFamily& family : graph.processes)
        if (!family.observer && !family.helper)
            for (const Memory& memory : family.memories)
                if (const std::string name = fmt::format("{}.{}", family.name, memory.name);
                    selection.matches(name))
                    names.push_back(
                        fmt::format("'{}' ({})", name, counted(memory.words, "word", "words")));
    if (names.empty())
        return {};
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    return fmt::format("the trace has no memories, so it leaves out {}{}; to see a word, write it "
                       "to a bus",
                       fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

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
    if (tracer_->good()) {
        if (options.trace_state)
            if (const std::string left_out = memories_left_out(options, loaded.design.graph);
                !left_out.empty())
                print_note(left_out);
        return exit_code::fine;
    }
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
