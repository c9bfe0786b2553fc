// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/run_page.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/programs.hpp"
#include "cli/reports/results.hpp"
#include "cli/reports/run_reports.hpp"
#include "cli/terminal.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "report/check_signals.hpp"
#include "session/loading.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

namespace {

constexpr std::size_t max_page_bytes = std::size_t{64} << 20;

std::string file_text(const std::string& path) {
    return read_file(path, max_page_bytes).text.value_or(std::string{});
}

/// Bundles the page in the build folder, unless another process has done so. Returns the error
/// message, or empty. `reason` is the build's log file.
std::string bundle(const std::string& page, const std::string& reason) {
    std::error_code error;
    const auto is_bundled = [&] {
        const bool result = std::filesystem::exists(page, error);
        if (!result)
            std::filesystem::remove(reason, error); // the log of an earlier attempt
        return result;
    };
    const std::string problem =
        build_target("report_page", "bundling the page of reports", is_bundled);
    return problem.empty() ? file_text(reason) : problem;
}

} // namespace

PageFile read_page(const Options& options) {
    const std::string installed = session::installed_folder();
    const std::string path =
        installed.empty() ? SME_BUILD "/sim/report/page.html" : installed + "/report.html";
    PageFile page{file_text(path), {}};
    if (!page.text.empty())
        return page;
    if (!installed.empty())
        page.problem =
            fmt::format("'{}' is not there; install sme again where node and npm are", path);
    else if (!options.compile || options.safe)
        page.problem = "it is not bundled yet, and this call may not start programs";
    else
        page.problem = bundle(path, SME_BUILD "/sim/report/page.txt");
    if (page.problem.empty())
        page.text = file_text(path);
    return page;
}

namespace {

// The limit for a page that a browser shows comfortably.
constexpr std::size_t max_wave_bytes = std::size_t{64}
                                       << 20; // uncompressed; the page holds a tenth of it
constexpr std::size_t max_checks = 2000;
constexpr std::size_t max_nodes = 500;
constexpr std::size_t max_source_bytes = std::size_t{4} << 20;

/// "interpreted", or which parts were native from which cycle.
std::string engine_text(const Options& options, const session::NativeRun& native) {
    const std::string text = native_report(options, native); // "engine: native from ...; ..."
    const std::size_t begin = text.find(' ') + 1;
    return text.substr(begin, text.find(';') - begin);
}

std::vector<std::pair<std::string, std::string>>
facts_of(const Options& options, const Loaded& loaded, const EndedRun& run) {
    const std::uint64_t cycles = run.outcome.cycles - run.first_cycle;
    std::vector<std::pair<std::string, std::string>> result{
        {"Result", std::string{run.outcome.ending().word}},
        {"Cycles", run.first_cycle == 0
                       ? fmt::format("{}", run.outcome.cycles)
                       : fmt::format("{}, from {} on", run.outcome.cycles, run.first_cycle)},
        {"Time", fmt::format("{:.3g} s", run.seconds)},
        {"Speed",
         fmt::format("{:.0f} cycles/s", static_cast<double>(cycles) / std::max(run.seconds, 1e-9))},
        {"Seed", fmt::format("{}", options.run.seed)},
        {"Engine", engine_text(options, run.native)},
        {"Threads", fmt::format("{}{}", run.engine.orchestrator().threads(),
                                options.run.threads == 0 ? " (auto)" : "")},
        {"Size", size_of(loaded.design.graph)},
        {"Network", options.network}};
    for (const auto& [name, value] : options.parameters)
        result.emplace_back("Parameter " + name, value);
    result.emplace_back("Ended at",
                        fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr))));
    return result;
}

/// Removes the report's own observer from the diagram, which `sme graph` does not have.
void leave_out_watch(Diagram& diagram) {
    const auto watch =
        std::find_if(diagram.nodes.begin(), diagram.nodes.end(), [](const Diagram::Node& node) {
            return node.role == Diagram::Role::hidden &&
                   node.path.back() == "what actors do"; // the name in lib/yaml/observe
        });
    if (watch == diagram.nodes.end())
        return;
    const auto number = static_cast<std::size_t>(watch - diagram.nodes.begin());
    std::erase_if(diagram.edges, [&](const Diagram::Edge& edge) { return edge.to == number; });
    for (Diagram::Edge& edge : diagram.edges) {
        edge.from -= edge.from > number;
        edge.to -= edge.to > number;
    }
    diagram.nodes.erase(watch);
}

} // namespace

int RunPage::open(engine::Engine& engine) {
    if (options_.page.empty())
        return exit_code::fine;
    PageFile page = read_page(options_);
    if (page.text.empty()) {
        report_error(Code::bad_option, fmt::format("--report needs its page: {}", page.problem));
        return exit_code::building;
    }
    page_ = std::move(page.text);
    if (!file_.emplace(options_.page).good()) {
        report_error(Code::file_unwritable, file_->problem());
        return exit_code::file;
    }
    trace::RecorderOptions recorded;
    recorded.select = options_.trace_select;
    recorded.state = true; // checks refer to states
    recorded.words = loaded_.page_words;
    for (trace::TracedWords& let : loaded_.lets->words())
        recorded.words.push_back(std::move(let));
    recorded.max_bytes = max_wave_bytes;
    recorded.keeps_end = true;
    recorder_ = std::make_unique<trace::WaveformRecorder>(std::move(recorded));
    engine.attach(*recorder_, {!loaded_.page_words.empty(), !options_.trace_let.empty()});
    if (recorder_->problem().empty())
        return exit_code::fine;
    report_error(Code::bad_option, recorder_->problem());
    return exit_code::usage;
}

std::string RunPage::write(const EndedRun& run) {
    if (!file_)
        return {};
    const report::Report result = content(run);
    for (const std::string& note : result.wave_notes)
        print_note(fmt::format("in '{}' {}", options_.page, note));
    for (const std::string& note : result.notes)
        print_note(fmt::format("'{}' leaves out {}", options_.page, note));
    file_->write(report::page_of(result, page_));
    file_->commit();
    return file_->problem();
}

report::Report RunPage::content(const EndedRun& run) {
    report::Report result;
    result.version = SME_VERSION;
    result.network = loaded_.design.graph.name;
    result.ending = run.outcome.ending().word;
    result.good = !run.outcome.has_faulted() && !has_failed(loaded_, run.outcome, run.judge);
    result.command = command_line(options_.words);
    std::error_code error;
    result.folder = std::filesystem::current_path(error).string();
    result.facts = facts_of(options_, loaded_, run);
    for (const Diagnostic& fault : run.outcome.faults)
        result.faults.push_back(render(fault));
    result.waveform = &recorder_->waveform();
    result.wave_notes = wave_notes();
    result.period_ps = loaded_.design.clock_ps;
    add_outcomes(run, result);
    add_diagram(run, result);
    add_coverage(run, result);
    add_threads(run, result);
    add_channels(result);
    return result;
}

std::vector<std::string> RunPage::wave_notes() const {
    const trace::Waveform& waveform = recorder_->waveform();
    std::vector<std::string> notes;
    if (std::string note = memories_left_out("the viewer", loaded_.design.graph,
                                             options_.trace_select, loaded_.page_words);
        !note.empty())
        notes.push_back(std::move(note));
    if (waveform.signals_left_out > 0)
        notes.push_back(fmt::format("the waves of {} are left out, as there are too many; choose "
                                    "some with --trace-select",
                                    counted(waveform.signals_left_out, "signal", "signals")));
    if (waveform.forgotten > 0)
        notes.push_back(fmt::format("the waves begin in cycle {}, as there are too many changes; "
                                    "with fewer signals, by --trace-select, more cycles are kept",
                                    waveform.window.from));
    return notes;
}

void RunPage::add_outcomes(const EndedRun& run, report::Report& result) const {
    std::size_t checks = 0, left_out = 0;
    const bool strict = !strict_failures_of(loaded_, run.outcome).empty();
    for (Outcome& outcome : outcomes_of(loaded_, run.outcome, run.judge)) {
        if (strict && outcome.kind == Outcome::Kind::skipped)
            outcome.kind = Outcome::Kind::failed;
        if (outcome.recording)
            add_output(std::move(outcome), result);
        else if (!outcome.check) {
            if (run.judge && outcome.name == "invariants")
                result.checks.push_back(std::move(outcome));
        } else if (const std::size_t number = checks++;
                   result.checks.size() < max_checks || outcome.kind == Outcome::Kind::failed)
            add_check(std::move(outcome), number, result);
        else
            ++left_out;
    }
    if (left_out > 0)
        result.notes.push_back(
            fmt::format("{} that did not fail", counted(left_out, "check", "checks")));
}

void RunPage::add_check(Outcome item, std::size_t number, report::Report& result) const {
    using Kind = CheckResult::Kind;
    item.counts = counts_of_check(loaded_, number);
    const bool once = item.check->kind == expr::Check::Kind::cover ||
                      item.check->kind == expr::Check::Kind::eventually;
    if (item.verdict->is_final() || (once && item.verdict->kind == Kind::passed))
        item.cycle = item.verdict->cycle;
    item.signals = report::signals_of(*loaded_.design.checks, *item.check, item.verdict->instance,
                                      loaded_.design.graph);
    result.checks.push_back(std::move(item));
}

void RunPage::add_output(Outcome item, report::Report& result) const {
    item.name = item.recording->recording().path;
    item.counts = counted(item.recording->rows(), "row", "rows");
    item.cycle = item.recording->difference_cycle();
    item.signals = report::signals_of(item.recording->recording(), result.outputs.size(),
                                      loaded_.design.graph);
    result.outputs.push_back(std::move(item));
}

void RunPage::add_diagram(const EndedRun& run, report::Report& result) {
    diagram_ = diagram_of(loaded_.design.graph, loaded_.analysis.writers, {false, run.activity});
    leave_out_watch(*diagram_);
    if (diagram_->nodes.size() <= max_nodes)
        result.diagram = &*diagram_;
    else
        result.notes.push_back(
            fmt::format("the network as a graph, which has {} nodes; 'sme graph' "
                        "writes it",
                        diagram_->nodes.size()));
}

void RunPage::add_coverage(const EndedRun& run, report::Report& result) const {
    if (!run.coverage) {
        result.notes.emplace_back("coverage, which a run with a checkpoint counts with --coverage");
        return;
    }
    result.coverage = run.coverage->json(run.outcome.cycles);
    std::size_t bytes = 0;
    for (auto& [path, text] : run.coverage->sources())
        if (bytes + text.size() <= max_source_bytes) {
            bytes += text.size();
            result.sources.emplace(path, text);
        }
}

void RunPage::add_threads(const EndedRun& run, report::Report& result) const {
    if (run.outcome.cycles == 0)
        return;
    result.thread_text = thread_report(run.engine, options_.run.threads);
    result.events = timeline_of(run.engine, loaded_.design.graph);
    if (result.events.size() <= max_events)
        return;
    result.events.resize(max_events);
    result.thread_text +=
        fmt::format("below: the first {} pieces of work; --profile writes more\n", max_events);
}

void RunPage::add_channels(report::Report& result) const {
    if (!loaded_.occupancy)
        return;
    result.channels = loaded_.occupancy->occupancy();
    if (loaded_.occupancy->first() > 0)
        result.notes.push_back(
            fmt::format("how full channels were before cycle {}", loaded_.occupancy->first()));
}

} // namespace sme::cli
