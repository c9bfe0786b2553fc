// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/thread_report.hpp"

#include <map>

#include <fmt/format.h>

#include "engine/placement/orchestrator.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

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

std::string thread_report(engine::Engine& engine, unsigned asked) {
    const engine::Orchestrator& work = engine.orchestrator();
    const engine::Usage& usage = work.usage();
    std::string text =
        fmt::format("threads: {} run{}, dealt {} times, {} cycles measured\n", work.threads(),
                    asked == 0 ? " (auto)"
                    : asked == 1 || asked == work.threads()
                        ? ""
                        : fmt::format(", because there is no more to share (--threads {})", asked),
                    work.placements(), usage.cycles());
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

std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph) {
    std::vector<trace::TimelineEvent> events;
    for (const engine::TimedEvent& timed : engine.orchestrator().events()) {
        const CycleSampler::Event& event = timed.event;
        const bool waits = event.item == CycleSampler::waits;
        events.push_back({timed.thread,
                          waits ? "wait"
                                : name_of(graph, engine.layout(),
                                          engine.schedule().items[event.item], event.range),
                          waits, event.begin_ns, event.end_ns, event.cycle, timed.level});
    }
    return events;
}

void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file) {
    trace::write_timeline(file, graph.name, timeline_of(engine, graph));
}

} // namespace sme::cli
