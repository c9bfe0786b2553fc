// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/access.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/placement/plan.hpp"
#include "engine/slots/delay_line.hpp"
#include "engine/threads/queue.hpp"
#include "judge/invariant_checker.hpp"
#include "judge/test/parts.hpp"

namespace sme::test {

/// What readers of a bus see next; a fault may change it.
inline std::byte* read_slot(engine::Engine& engine, std::uint64_t element) {
    return const_cast<std::byte*>(engine.access().value(element));
}

/// A step that replaces another one, and may call it.
using EvilStep = std::function<void(Group& real, unsigned part, Range range, const Frame& frame)>;

class EvilGroup final : public Group {
public:
    EvilGroup(std::unique_ptr<Group> real, EvilStep step)
        : owned_{std::move(real)}, real_{*owned_}, step_{std::move(step)} {}
    EvilGroup(Group& real, EvilStep step) : real_{real}, step_{std::move(step)} {}
    void step(unsigned part, Range range, const Frame& frame) override {
        step_(real_, part, range, frame);
    }

private:
    std::unique_ptr<Group> owned_;
    Group& real_;
    EvilStep step_;
};

/// Changes the task list of a queue once.
class EvilQueue final : public engine::Queue {
public:
    EvilQueue(std::unique_ptr<engine::Queue> real,
              const std::function<void(engine::TaskLists&)>& change) {
        engine::TaskLists lists(2);
        for (unsigned thread = 0; thread < 2; ++thread)
            while (const engine::Task* task = real->take(thread))
                lists[thread].push_back(*task);
        change(lists);
        queue_ = engine::fixed_queue(lists, 0);
    }
    const engine::Task* take(unsigned thread) override { return queue_->take(thread); }
    void rewind() override { queue_->rewind(); }

private:
    std::unique_ptr<engine::Queue> queue_;
};

/// Tells the judge a layout that differs from the run's.
class EvilAudited final : public Audited {
public:
    EvilAudited(const Audited& real, std::uint32_t family, std::uint32_t port, Segments slots)
        : real_{real}, family_{family}, port_{port}, slots_{std::move(slots)} {}
    const Graph& graph() const override { return real_.graph(); }
    const Segments& slots(std::size_t family) const override { return real_.slots(family); }
    const std::byte* memory(std::uint32_t family, std::size_t memory,
                            std::uint64_t instance) const override {
        return real_.memory(family, memory, instance);
    }
    const MissingWires& missing() const override { return real_.missing(); }
    const Segments& order(std::uint32_t family) const override { return real_.order(family); }
    const Segments& port_slots(std::uint32_t family, std::uint32_t port) const override {
        return family == family_ && port == port_ ? slots_ : real_.port_slots(family, port);
    }
    std::size_t arena_bytes() const override { return real_.arena_bytes(); }
    std::size_t wires_begin() const override { return real_.wires_begin(); }
    std::array<Memory, 2> read_mappings() const override { return real_.read_mappings(); }

private:
    const Audited& real_;
    std::uint32_t family_;
    std::uint32_t port_;
    Segments slots_;
};

/// The judge, with an optional false layout.
class MisledJudge final : public Auditor {
public:
    std::function<std::unique_ptr<EvilAudited>(const Audited&)> mislead;
    validator::InvariantChecker judge;

    void open(const Audited& run) override {
        if (mislead)
            evil_ = mislead(run);
        judge.open(evil_ ? *evil_ : run);
    }
    void begin_cycle(const Frame& frame) override { judge.begin_cycle(frame); }
    void before_step(const StepId& step, const Frame& frame) override {
        judge.before_step(step, frame);
    }
    void after_step(const StepId& step, const Frame& frame) override {
        judge.after_step(step, frame);
    }
    bool end_cycle(const Frame& frame, bool faulted) override {
        return judge.end_cycle(frame, faulted);
    }
    void close() override { judge.close(); }

private:
    std::unique_ptr<EvilAudited> evil_;
};

/// A network with one mutation of its run.
class MutantRun {
public:
    Graph graph;
    unsigned threads = 1;
    std::function<void(engine::Engine&)> before;                 // before the first cycle
    std::function<void(engine::Engine&, std::uint64_t)> between; // between cycles
    std::function<void(engine::Engine&)> with_plan;              // once a plan exists

    explicit MutantRun(Graph network) : graph{std::move(network)} {}

    std::uint32_t family(const std::string& name) const {
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
            for (std::uint64_t k = 0; k < graph.processes[f].count; ++k)
                if (graph.processes[f].instance_name(k) == name)
                    return f;
        FAIL(name);
        return 0;
    }
    /// Returns the position of a process in its family: the order of its slots.
    std::uint64_t place(const std::string& name) const {
        const std::uint32_t f = family(name);
        Diagnostics diagnostics;
        const auto analysis = analyse(graph, diagnostics);
        const engine::Engine engine{graph, *analysis, {}, diagnostics};
        const Segments& order = engine.layout().orders[f];
        std::uint64_t position = 0;
        while (graph.processes[f].instance_name(static_cast<std::uint64_t>(order.at(position))) !=
               name)
            ++position;
        return position;
    }

    void replace(const std::string& process, EvilStep step) {
        ProcessFamily& changed = graph.processes[family(process)];
        changed.kind = std::make_shared<const GroupFactory>(
            [real = changed.kind, step = std::move(step)](const Build& build) {
                return std::make_unique<EvilGroup>(real->build(build), step);
            });
    }
    /// Mutates the step of one process in a range; the others of the range step normally.
    EvilStep only(const std::string& process, EvilStep step) const {
        return [at = place(process), step = std::move(step)](Group& real, unsigned part,
                                                             Range range, const Frame& frame) {
            const std::uint64_t end = range.first + range.count;
            if (at < range.first || at >= end)
                return real.step(part, range, frame);
            if (at > range.first)
                real.step(part, {range.first, at - range.first}, frame);
            step(real, part, {at, 1}, frame);
            if (end > at + 1)
                real.step(part, {at + 1, end - at - 1}, frame);
        };
    }
    void replace_one(const std::string& process, EvilStep step) {
        replace(process, only(process, std::move(step)));
    }

    /// Runs `cycles` calls of the engine, then inspects it.
    void run(std::uint64_t cycles, std::shared_ptr<Auditor> auditor,
             const std::function<void(engine::Engine&)>& look) const {
        Diagnostics diagnostics;
        const auto analysis = analyse(graph, diagnostics);
        REQUIRE(analysis);
        engine::Options options;
        options.run.threads = threads;
        options.run.auditor = std::move(auditor);
        options.run.serial_levels = threads == 1;
        engine::Engine engine{graph, *analysis, options, diagnostics};
        if (before)
            before(engine);
        for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
            engine.run(cycle == 0 && threads > 1 ? 80 : 1); // the engine measures step costs for 64
                                                            // cycles
            if (cycle == 0 && with_plan)
                with_plan(engine);
            if (between)
                between(engine, cycle);
        }
        engine.finish();
        look(engine);
    }
};

/// A run of the sample under the judge.
class Run : public MutantRun {
public:
    Sample sample;
    std::shared_ptr<MisledJudge> judge = std::make_shared<MisledJudge>();

    Run() : MutantRun{{}} {
        graph = sample.network.graph();
        graph.mark_writes();
    }
    template <class T> const BusFamily& bus(Bus<T> bus) const { return graph.family_of(bus.id()); }

    std::vector<validator::Violation> violations() const {
        run(12, judge, [](engine::Engine&) {});
        return judge->judge.violations();
    }
};

/// Returns the slot of a bus in the current write arena.
inline std::size_t offset_of(const MutantRun& run, const engine::Engine& engine,
                             std::uint64_t element) {
    const BusFamily& bus = run.graph.family_of(element);
    const auto b = static_cast<std::size_t>(&bus - run.graph.buses.data());
    return static_cast<std::size_t>(engine.layout().buses[b].written.at(element - bus.first));
}

/// Returns the engine's layout in advance: offsets do not depend on the run.
inline std::size_t offset_of(const MutantRun& run, std::uint64_t element) {
    Diagnostics diagnostics;
    const auto analysis = analyse(run.graph, diagnostics);
    const engine::Engine engine{run.graph, *analysis, {}, diagnostics};
    return offset_of(run, engine, element);
}

inline engine::Schedule& schedule_of(engine::Engine& engine) {
    return const_cast<engine::Schedule&>(engine.schedule());
}

inline void change_queue(engine::Engine& engine,
                         const std::function<void(engine::TaskLists&)>& change) {
    for (const engine::Section& section : engine.orchestrator().plan().sections)
        if (section.queue) {
            auto& queue = const_cast<std::unique_ptr<engine::Queue>&>(section.queue);
            queue = std::make_unique<EvilQueue>(std::move(queue), change);
            return;
        }
    FAIL("there is no parallel section");
}

/// Returns the list and position of a task that steps whole processes, not the engine's own groups.
/// A part that only computes wires may run twice without any effect.
inline std::pair<std::size_t, std::size_t>
a_task(const engine::TaskLists& lists, const MutantRun& run, const engine::Engine& engine) {
    const auto& items = engine.schedule().items;
    const auto is_whole_process = [&](std::uint32_t group) {
        return group < run.graph.processes.size() && !run.graph.processes[group].observer &&
               std::count_if(items.begin(), items.end(),
                             [&](const engine::Item& item) { return item.group == group; }) == 1;
    };
    for (std::size_t list = 0; list < lists.size(); ++list)
        for (std::size_t k = 0; k < lists[list].size(); ++k)
            if (is_whole_process(items[lists[list][k].item].group))
                return {list, k};
    FAIL("no task steps a whole process");
    return {};
}

/// A fault in the lists of two threads: the list with a task, the other list, and the task's
/// position.
struct QueueFault {
    using Tasks = std::vector<engine::Task>;
    const char* name;
    void (*change)(Tasks& own, Tasks& other, std::size_t task);

    void put_into(MutantRun& run) const {
        run.threads = 2;
        run.with_plan = [&run, change = change](engine::Engine& engine) {
            change_queue(engine, [&](engine::TaskLists& lists) {
                const auto [list, task] = a_task(lists, run, engine);
                change(lists[list], lists[1 - list], task);
            });
        };
    }
};

inline const QueueFault queue_faults[] = {
    {"a queue loses a task",
     [](QueueFault::Tasks& own, QueueFault::Tasks&, std::size_t task) {
         own.erase(own.begin() + static_cast<std::ptrdiff_t>(task));
     }},
    {"a queue gives a task twice",
     [](QueueFault::Tasks& own, QueueFault::Tasks&, std::size_t task) {
         own.push_back(engine::Task{own[task]});
     }},
    {"a queue gives a task to two threads", [](QueueFault::Tasks& own, QueueFault::Tasks& other,
                                               std::size_t task) { other.push_back(own[task]); }},
    {"a queue cuts a range so that an end is lost",
     [](QueueFault::Tasks& own, QueueFault::Tasks&, std::size_t task) { --own[task].range.count; }},
};

/// Steps the readers of a chain of wires (one family) before their writers.
inline void reverse_wires(engine::Engine& engine, std::uint32_t family) {
    auto& items = schedule_of(engine).items;
    std::vector<engine::Item> combs;
    for (auto item = items.begin(); item != items.end();)
        if (item->group == family && item->part == 0) {
            combs.insert(combs.begin(), *item);
            combs.front().level = 0;
            item = items.erase(item);
        } else
            ++item;
    REQUIRE(combs.size() >= 2);
    items.insert(items.begin(), combs.begin(), combs.end());
}

/// Replaces the engine's own group that delays a bus.
inline void replace_delay(engine::Engine& engine, Group& other) {
    for (engine::Item& item : schedule_of(engine).items)
        if (dynamic_cast<engine::DelayLine*>(item.steps)) {
            item.steps = &other;
            return;
        }
    FAIL("there is no delay line");
}

} // namespace sme::test
