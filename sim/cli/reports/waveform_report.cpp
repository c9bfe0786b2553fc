// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/waveform_report.hpp"

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/bus_names.hpp"
#include "cli/reports/counted.hpp"
#include "cli/reports/findings.hpp"
#include "cli/reports/summary.hpp"
#include "cli/terminal.hpp"
#include "trace/waveform/text.hpp"
#include "trace/waveform/wavejson.hpp"

namespace sme::cli {

namespace {

constexpr std::uint64_t usual_cycles = 40;
constexpr std::uint64_t max_drawn = 100'000; // cycles

trace::Window window_of(const Options& options, std::uint64_t first_cycle) {
    const std::uint64_t from =
        options.from.value_or(options.to ? std::min(first_cycle, *options.to - 1) : first_cycle);
    return {from, std::min(options.to.value_or(from + usual_cycles), from + max_drawn)};
}

std::vector<trace::WaveformLook::Mark> failures(const Loaded& loaded) {
    std::vector<trace::WaveformLook::Mark> made;
    for (const std::uint64_t cycle : failed_cycles(loaded))
        made.push_back({"FAILED", cycle});
    return made;
}

} // namespace

int WaveformReport::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                         const RunCycles& cycles) {
    if (options.show.empty() && options.wavedrom.empty())
        return exit_code::fine;
    if (const std::string problem =
            unmatched(loaded.design.graph, options.show, options.trace_state);
        !problem.empty()) {
        complain(Code::bad_option, "--show: " + problem);
        return exit_code::usage;
    }
    trace::RecorderOptions made;
    made.select = joined(options.show);
    made.state = options.trace_state;
    made.window = window_of(options, cycles.first);
    if (made.window.from > cycles.end) {
        complain(Code::bad_cycles,
                 fmt::format("--from {} is after the end of the run, which has cycles {} to {}",
                             made.window.from, cycles.first, cycles.end - 1));
        return exit_code::usage;
    }
    if (const int failed = files_.open(options); failed != exit_code::fine)
        return failed;
    wanted_ = options.to.value_or(made.window.to);
    window_ = std::make_unique<trace::WaveformRecorder>(made);
    engine.attach(*window_);
    if (options.from || options.to)
        return exit_code::fine;
    made.window = {};
    made.last = usual_cycles;
    last_ = std::make_unique<trace::WaveformRecorder>(made);
    engine.attach(*last_);
    return exit_code::fine;
}

void WaveformReport::finish(const Options& options, const engine::Engine& engine) {
    if (!is_asked_for())
        return;
    const bool failed = engine.ending() >= engine::Ending::check_failed;
    drawn_ = (last_ && failed ? last_ : window_)->take();
    order_by(drawn_.signals, options.show);
}

std::string WaveformReport::text(const Options& options, const Loaded& loaded) const {
    if (options.show.empty())
        return {};
    trace::WaveformLook look;
    look.columns = output_columns();
    look.ascii = options.ascii || !output_takes_unicode();
    look.marks = failures(loaded);
    try {
        const std::string drawn = trace::waveform_text(drawn_, look);
        return drawn.empty() ? drawn : "\n" + drawn;
    } catch (const std::bad_alloc&) {
        print_note("there is not enough memory to draw the waveform; give --show fewer buses, or "
                   "fewer cycles by --from and --to");
        return {};
    }
}

int WaveformReport::write(const Loaded& loaded) {
    if (!is_asked_for())
        return exit_code::fine;
    std::string foot;
    const bool check = std::any_of(loaded.verdicts->begin(), loaded.verdicts->end(),
                                   [](const interpret::CheckResult& each) {
                                       return each.kind == interpret::CheckResult::Kind::failed;
                                   });
    for (const std::uint64_t cycle : failed_cycles(loaded))
        if (drawn_.window.holds(cycle))
            foot += fmt::format("{} {}",
                                !foot.empty() ? ","
                                : check       ? "a check failed in cycle"
                                              : "an output failed in cycle",
                                cycle);
    return files_.write(trace::wavejson(drawn_, loaded.design.graph.name, foot));
}

std::string WaveformReport::missing() const {
    if (!is_asked_for())
        return {};
    const trace::Waveform& made = drawn_;
    if (made.signals_left_out > 0)
        return fmt::format("the waveform lacks {}, for which there is no memory",
                           counted(made.signals_left_out, "signal", "signals"));
    if (made.window.to == 0 && made.cut_short)
        return "there is no memory for the waveform; give --show fewer buses";
    if (made.window.to == 0)
        return fmt::format("the run ended after {}, so nothing is drawn",
                           counted(made.cycles, "cycle", "cycles"));
    if (made.cut_short)
        return fmt::format("the waveform ends before cycle {}: there is no memory for more",
                           made.window.to);
    if (wanted_ > made.window.to && made.cycles > made.window.to)
        return fmt::format("the waveform ends before cycle {}: no more than {} cycles are drawn; "
                           "--trace takes all",
                           made.window.to, max_drawn);
    return {};
}

} // namespace sme::cli
