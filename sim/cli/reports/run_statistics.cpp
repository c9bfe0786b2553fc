// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/run_reports.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

namespace {

using Part = session::NativeRun::Part;

/// Reports on several C files: live ones in the order in which they took over, then the reasons of
/// the others.
std::string part_lines(const Options& options, const std::vector<Part>& parts) {
    std::vector<std::pair<double, std::string>> live;
    std::map<std::string, std::vector<std::size_t>> left_out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Part& part = parts[k];
        if (!part.live) {
            left_out[part.why.empty() ? "the run ended before it was compiled" : part.why]
                .push_back(k + 1);
            continue;
        }
        const std::string when =
            options.execution == Execution::native
                ? std::string{}
                : fmt::format("{} processes native from cycle {} on, {:.3f} s after the first; ",
                              part.families, part.cycle, part.after_s);
        live.emplace_back(part.after_s,
                          fmt::format("  C file {} of {}: {}{} in {:.4f} s\n", k + 1, parts.size(),
                                      when, part.kept ? "taken from the cache" : "compiled",
                                      part.seconds));
    }
    std::stable_sort(live.begin(), live.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::string result;
    for (const auto& [after_s, line] : live)
        result += line;
    for (const auto& [why, files] : left_out)
        result += fmt::format("  C file{} {} of {} left out: {}\n", files.size() == 1 ? "" : "s",
                              fmt::join(files, ", "), parts.size(), shown_text(why));
    return result;
}

std::string quick_line(const session::NativeRun& run) {
    const session::NativeRun::Quick& quick = run.quick();
    if (quick.families == 0)
        return {};
    return fmt::format("  quick code of {} processes from cycle {} on, made in {:.4f} s\n",
                       quick.families, quick.cycle, quick.seconds);
}

std::string why_interpreted(const Options& options, const session::NativeRun& run) {
    if (options.execution == Execution::interpreted)
        return "as --engine says";
    return options.validate ? "the judge looks at each step" : run.why();
}

} // namespace

std::string native_report(const Options& options, const session::NativeRun& run) {
    if (run.live() == 0)
        return fmt::format("engine: {}; {}\n{}",
                           run.quick().families > 0 ? "quick code" : "interpreted",
                           why_interpreted(options, run), quick_line(run));
    const std::vector<Part>& parts = run.parts();
    const native::Native& native = *run.native();
    const Part* first = nullptr;
    bool kept = true;
    double compiling_s = 0;
    for (const Part& part : parts) {
        compiling_s += part.seconds;
        if (!part.live)
            continue;
        kept = kept && part.kept;
        if (!first || part.after_s < first->after_s)
            first = &part;
    }
    const std::string when = options.execution == Execution::native
                                 ? std::string{}
                                 : fmt::format(" from cycle {} on, {:.3f} s after the first",
                                               first->cycle, first->after_s);
    const std::string of =
        run.live() == parts.size() ? "" : fmt::format("{} of ", native.families());
    const std::string files =
        parts.size() == 1 ? "" : fmt::format(" in {} of {} C files", run.live(), parts.size());
    return fmt::format("engine: native{}; {}{} processes as {} functions{}, written in {:.4f} s, "
                       "{} in {:.4f} s; {} cycles in the cycle kernel\n{}",
                       when, of, native.c_module().families().size(), native.c_module().functions(),
                       files, run.writing_s(), kept ? "taken from the cache" : "compiled",
                       compiling_s, native.cycles_in_kernels(),
                       quick_line(run) + (parts.size() > 1 ? part_lines(options, parts) : ""));
}

int write_c(const std::string& path, const native::CModule& unit) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path{path}.parent_path(), error);
    OutputFile file{path};
    file.write(unit.text());
    if (file.commit())
        return exit_code::fine;
    report_error(Code::file_unwritable, file.problem());
    return exit_code::file;
}

namespace {

using engine::CycleSampler;

std::string row(const std::string& name, double busy_ns, double wait_ns, std::uint64_t cycles) {
    const double all = busy_ns + wait_ns;
    return fmt::format("  {:<20} {:>12.0f} {:>12.0f} {:>7.1f}%\n", name,
                       busy_ns / static_cast<double>(cycles), wait_ns / static_cast<double>(cycles),
                       all > 0 ? 100 * busy_ns / all : 0);
}

/// "node[0..499]": the processes of an item, by their names in the network.
std::string name_of(const Graph& graph, const engine::Layout& layout, const engine::Item& item,
                    Range range) {
    if (item.group >= graph.processes.size())
        return item.observer ? "observer" : "delays and inputs";
    const ProcessFamily& family = graph.processes[item.group];
    const auto name = [&](std::uint64_t position) {
        return family.instance_name(
            static_cast<std::uint64_t>(layout.orders[item.group].at(position)));
    };
    if (family.parts[item.part].kind == sme::Part::Kind::commit)
        return family.name + ": memories";
    const std::string first = name(range.first);
    return range.count == 1 ? first : first + " .. " + name(range.first + range.count - 1);
}

} // namespace

namespace {

/// Why fewer threads ran than the user asked for; empty if not.
std::string why_fewer(const engine::Orchestrator& work, unsigned asked) {
    if (asked <= 1 || asked == work.threads())
        return {};
    return fmt::format(
        ", because {} (--threads {})",
        work.useful_threads() < asked ? "there is no more to share" : "more were slower", asked);
}

} // namespace

std::string thread_report(engine::Engine& engine, unsigned asked) {
    const engine::Orchestrator& work = engine.orchestrator();
    const engine::Usage& usage = work.usage();
    std::string text = fmt::format("threads: {} run{}, dealt {} times, {} cycles measured\n",
                                   work.threads(), asked == 0 ? " (auto)" : why_fewer(work, asked),
                                   work.placements(), usage.cycles());
    if (const engine::Activity::Steps steps = engine.skipped(); steps.all > 0)
        text += fmt::format("idle processes: {:.1f} % of the steps skipped\n",
                            100.0 * static_cast<double>(steps.skipped) /
                                static_cast<double>(steps.all));
    if (asked != 1 && !Cut::has_metis())
        text += "processes are shared out in source order: this program was built without METIS\n";
    if (usage.cycles() == 0)
        return text;
    text += fmt::format("  {:<20} {:>12} {:>12} {:>8}\n", "", "busy ns", "idle ns", "in use");
    std::map<unsigned, engine::Usage::Share> threads;
    for (const auto& [key, share] : usage.shares()) {
        threads[key.first].busy_ns += share.busy_ns;
        threads[key.first].wait_ns += share.wait_ns;
    }
    for (const auto& [thread, sum] : threads) {
        text += row(fmt::format("thread {}", thread), sum.busy_ns, sum.wait_ns, usage.cycles());
        for (const auto& [key, share] : usage.shares())
            if (key.first == thread && engine.schedule().levels > 1)
                text += row(fmt::format("  from level {}", key.second), share.busy_ns,
                            share.wait_ns, usage.cycles());
    }
    return text;
}

/// The items that an event measured, by the names of their processes.
std::string name_of(const Graph& graph, const engine::Engine& engine,
                    const CycleSampler::Event& event) {
    const std::vector<engine::Item>& items = engine.schedule().items;
    const auto name = [&](std::uint32_t item, Range range) {
        return name_of(graph, engine.layout(), items[item], range);
    };
    if (event.end_item == 0)
        return name(event.item, event.range);
    const std::uint32_t last = event.end_item - 1;
    return name(event.item, items[event.item].range) + ", …, " + name(last, items[last].range);
}

std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph) {
    std::vector<trace::TimelineEvent> events;
    for (const engine::TimedEvent& timed : engine.orchestrator().events()) {
        const CycleSampler::Event& event = timed.event;
        const bool waits = event.item == CycleSampler::waits;
        events.push_back({timed.thread, waits ? "wait" : name_of(graph, engine, event), waits,
                          event.begin_ns, event.end_ns, event.cycle, timed.level});
    }
    return events;
}

void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file) {
    trace::write_timeline(file, graph.name, timeline_of(engine, graph));
}

std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles) {
    constexpr std::size_t most = 10;
    if (!counts.network || cycles == 0)
        return {};
    const expr::ActorNetwork& network = *counts.network;
    std::vector<std::size_t> order(counts.cycles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return counts.cycles[a] > counts.cycles[b];
    });
    std::string text;
    order.resize(std::min(order.size(), most));
    for (const std::size_t k : order) {
        const expr::ActorNetwork::End& end = network.ends[k];
        const std::uint64_t waited = counts.cycles[k];
        if (waited == 0)
            break;
        const std::uint32_t other = network.other(end);
        text += fmt::format("channels: '{}' waits for {} '{}' in {} ({:.0f} %), {} {}\n",
                            network.actors[end.actor].name, end.sends ? "room in" : "a message in",
                            network.channels[end.channel].name, counted(waited, "cycle", "cycles"),
                            100.0 * static_cast<double>(waited) / static_cast<double>(cycles),
                            end.sends ? "received by" : "sent by",
                            other == expr::ActorNetwork::none
                                ? "a file or another process"
                                : fmt::format("'{}'", network.actors[other].name));
    }
    return shown_text(text.empty() ? "channels: no actor waits\n" : text);
}

} // namespace sme::cli
