// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/run_files.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "trace/collect/memories.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

namespace {

/// Notes that a file without a known extension becomes VCD, which users may not expect. Empty
/// otherwise.
std::string format_taken(const std::string& path) {
    const trace::Format& format = trace::format_of(path);
    return path.ends_with(format.ending) || is_written_in_place(path)
               ? std::string{}
               : fmt::format("'{}' becomes {}, as its ending names no format ({})", path,
                             format.what, trace::format_names());
}

/// The error in --trace-memory; empty if valid.
std::string memory_problem(const Options& options, const Loaded& loaded) {
    const trace::MemoryChoice& choice = loaded.memories;
    if (choice.too_many)
        return fmt::format("--trace-memory '{}' is more than {} words; choose fewer, as in "
                           "'name[0..1023]'",
                           options.trace_memory, trace::MemoryChoice::max_all_words);
    if (choice.unmatched.empty())
        return {};
    std::vector<std::string> names;
    for (const ProcessFamily& family : loaded.design.graph.processes)
        if (trace::has_own_memories(family))
            for (const Memory& memory : family.memories)
                names.push_back(fmt::format("'{}.{}' ({})", family.name, memory.name,
                                            counted(memory.words, "word", "words")));
    const bool is_range = choice.unmatched[0].find("..") != std::string::npos;
    return fmt::format("no memory matches '{}'; {}{}", choice.unmatched[0],
                       names.empty() ? "the network has no memories"
                                     : fmt::format("there is {}", listed(names, max_named)),
                       is_range ? "; the first index of a range is its smallest" : "");
}

/// Notes that only a part of some memories is traced. Empty otherwise.
std::string memories_cut(const trace::MemoryChoice& choice) {
    std::vector<std::string> names;
    for (const trace::MemoryChoice::Cut& cut : choice.cuts)
        names.push_back(fmt::format("'{}' ({})", cut.name, counted(cut.words, "word", "words")));
    if (names.empty())
        return {};
    return fmt::format("the trace has the first {} words of {}; for others, give --trace-memory "
                       "'{}[FIRST..LAST]'",
                       trace::MemoryChoice::max_words, listed(names, max_named),
                       choice.cuts[0].name);
}

} // namespace

int RunTrace::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                   const std::string& path) {
    if (path.empty() && options.keep_last > 0) {
        report_error(Code::bad_option, "--keep-last says how much of a trace is kept; give --trace "
                                       "FILE.vcd as well");
        return exit_code::usage;
    }
    for (const auto& [name, given] : {std::pair{"memory", !options.trace_memory.empty()},
                                      std::pair{"let", !options.trace_let.empty()}})
        if (path.empty() && options.page.empty() && given) {
            report_error(Code::bad_option, fmt::format("--trace-{} says what is in a trace; give "
                                                       "--trace FILE.vcd as well",
                                                       name));
            return exit_code::usage;
        }
    for (std::string problem : {memory_problem(options, loaded), loaded.lets->problem()})
        if (!problem.empty()) {
            report_error(Code::bad_option, std::move(problem));
            return exit_code::usage;
        }
    if (path.empty())
        return exit_code::fine;
    trace::TracerOptions result;
    result.format = &trace::format_of(path);
    result.keep_last = options.keep_last;
    result.keep = [&engine] {
        return engine.ending() == RunEnd::stopped || engine.ending() >= RunEnd::check_failed;
    };
    result.period = trace::ClockPeriod::of(loaded.design.clock_ps);
    result.select = options.trace_select;
    result.state = options.trace_state;
    result.words = traced_words(loaded);
    path_ = path;
    tracer_ = std::make_unique<trace::Tracer>(path, result);
    if (tracer_->good())
        engine.attach(*tracer_, {!options.trace_memory.empty(), !options.trace_let.empty()});
    if (tracer_->good()) {
        for (const std::string& note :
             {format_taken(path),
              options.trace_state
                  ? memories_left_out("the trace", loaded.design.graph, options.trace_select,
                                      loaded.memories.memories)
                  : std::string{},
              memories_cut(loaded.memories)})
            if (!note.empty())
                print_note(note);
        if (loaded.on_trace)
            loaded.on_trace(path + ".part");
        return exit_code::fine;
    }
    const bool nothing_selected = tracer_->selects_nothing();
    report_error(nothing_selected ? Code::bad_option : Code::file_unwritable, tracer_->problem());
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
