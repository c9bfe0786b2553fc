// SPDX-License-Identifier: Apache-2.0
//
// Builds a simulator: slots, memories, groups and the schedule. cycle_loop.cpp runs the cycles;
// orchestrator.cpp assigns the work to threads.
#include "engine/engine.hpp"

#include <algorithm>
#include <cstring>

#include "engine/access.hpp"
#include "engine/cycle/cycle_loop.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/cycle/tuner.hpp"
#include "engine/observed_engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "engine/ranks/rank_exchange.hpp"
#include "engine/ranks/rank_slots.hpp"
#include "engine/slots/arenas.hpp"
#include "engine/slots/delay_line.hpp"
#include "engine/threads/cpus.hpp"
#include "network/build.hpp"

namespace sme::engine {

Engine::Engine(const Graph& graph, const Analysis& analysis, const Options& options,
               Diagnostics& diagnostics)
    : graph_{graph}, analysis_{analysis}, options_{options},
      layout_{Layout::of(graph, analysis, diagnostics)}, reports_{graph, layout_, options.prints} {
    if (diagnostics.has_errors())
        return;
    if (!options.halts)
        reports_.ignore_halts();
    schedule_ = Schedule::of(graph, analysis.levels, layout_);
    arenas_ = std::make_unique<Arenas>(layout_.wires_begin, layout_.arena_bytes,
                                       options_.run.auditor != nullptr);
    if (options_.ranks)
        divide(diagnostics);
    if (diagnostics.has_errors())
        return;
    fill_initial();
    make_memories();
    build_groups();
    add_unwritten();
    if (shares_)
        hold_own(diagnostics);
    if (diagnostics.has_errors())
        return;
    for (Item& item : schedule_.items) {
        item.steps = groups_[item.group].get();
        item.control = reports_.add(item.group, item.part);
    }
    if (options_.run.auditor || options_.run.shuffle)
        step_one_by_one();
    loop_ = std::make_unique<CycleLoop>(
        schedule_, *arenas_, reports_, exchange_ ? nullptr : options_.interrupt,
        [this](const Item& item, const Frame& frame) { leave_unwritten(item, frame); },
        [this](std::uint32_t level) {
            missing_ = {level < schedule_.levels, wires_after(level)};
        });
    loop_->set_ranks(exchange_.get());
    access_ = std::make_unique<Access>(*this);
    equal_unwritten();
    // what other ranks write has no marks
    if (one_by_one_.empty() && !exchange_ && options_.run.skipping != Skipping::never)
        activity_ = Activity::of(graph_, layout_, groups_, schedule_, least_skipped());
    loop_->set_activity(activity_.get());
    if (Auditor* const auditor = options_.run.auditor.get()) {
        audited_ = std::make_unique<AuditedEngine>(graph_, layout_, words(), missing_, *arenas_);
        auditor->open(*audited_);
        loop_->set_auditor(auditor);
    }
}

void Engine::interrupt() {
    loop_->interrupt();
}

std::uint64_t Engine::cycle() const {
    return loop_->cycle();
}

RunEnd Engine::ending() const {
    return loop_->ending();
}

void Engine::set_fused(std::vector<FusedItems> fused) {
    if (one_by_one_.empty())
        loop_->set_fused(std::move(fused));
}

void Engine::set_cycle_kernels(std::vector<CycleKernel*> kernels) {
    if (one_by_one_.empty() && !exchange_)
        loop_->set_cycle_kernels(std::move(kernels));
}

/// A memory commit covers a whole group, so it is not split.
void Engine::step_one_by_one() {
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        one_by_one_.push_back(std::make_unique<PerInstanceGroup>(
            *groups_[f], f, options_.run.auditor.get(), options_.run.shuffle));
    for (Item& item : schedule_.items)
        if (item.group < graph_.processes.size() && !commits_memory(item))
            item.steps = one_by_one_[item.group].get();
    if (options_.run.shuffle)
        shuffle_items(schedule_, *options_.run.shuffle);
}

namespace {

void use(Item& item, Group& group) {
    item.steps = &group;
    if (item.activity)
        item.activity->set_executor(group);
}

} // namespace

void Engine::swap_executor(const std::vector<std::pair<std::uint32_t, Group*>>& groups) {
    std::vector<Group*> steps(graph_.processes.size());
    for (const auto& [family, group] : groups) {
        steps[family] = group;
        if (!one_by_one_.empty())
            one_by_one_[family]->swap_executor(*group);
    }
    for (Item& item : schedule_.items)
        if (item.group < steps.size() && steps[item.group] &&
            (one_by_one_.empty() || item.steps != one_by_one_[item.group].get()))
            use(item, *steps[item.group]);
}

void Engine::decide_anew() {
    if (tuner_ && decides_)
        tuner_->begin_anew();
}

Engine::~Engine() {
    finish();
}

void Engine::fill_initial() {
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        if (bus.initial.empty() && !bus.has_initial)
            continue;
        const BusSlots& slots = layout_.buses[b];
        for (const Segment& run : slots.read.runs())
            put_initial(bus, run, arenas_->first());
        if (bus.delay >= 2) // otherwise both are the same slots
            for (const Segment& run : slots.written.runs())
                put_initial(bus, run, arenas_->first());
    }
}

std::uint64_t Engine::least_skipped() const {
    switch (options_.run.skipping) {
    case Skipping::always: return 1;
    case Skipping::never: return ~std::uint64_t{0};
    default: return SteadyGroup::least_operations;
    }
}

Activity::Steps Engine::skipped() const {
    return activity_ ? activity_->steps() : Activity::Steps{};
}

void Engine::build_groups() {
    const auto memory_slots = [&](std::size_t family, std::size_t memory) {
        const Memory& found = graph_.processes[family].memories[memory];
        return MemorySlots{memory_words_[memory_of_[family][memory]].data(), found.words,
                           found.element};
    };
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
        const ProcessFamily& family = graph_.processes[f];
        Build build{graph_, family, layout_.orders[f], {}, {}, {}, options_.run.seed};
        for (const Port& port : family.ports)
            build.ports.push_back(layout_.port_slots(graph_, f, port));
        for (std::size_t m = 0; m < family.memories.size(); ++m)
            build.memories.push_back(memory_slots(f, m));
        if (shares_)
            build.is_here = [this, f](std::uint64_t instance) {
                return shares_->owner(f, instance).rank == options_.ranks->rank();
            };
        build.missing = &missing_;
        for (const MemoryUse& use : family.looks_at) {
            MemorySlots slots = memory_slots(use.family, use.memory);
            slots.words +=
                layout_.orders[use.family].index_of(static_cast<std::int64_t>(use.instance)) *
                slots.words_each * slots.element->size();
            build.looks_at.push_back(slots);
        }
        groups_.push_back(family.kind->build(build));
    }
}

/// The elements without a writer get equal slots in both arenas: most are never stepped.
void Engine::equal_unwritten() {
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        if (!begins_with_value(bus))
            continue;
        const std::size_t bytes = slot_size(bus);
        for (const Range& range : unwritten(bus, analysis_.writers))
            for_each_run(
                layout_.buses[b].written, range.first, range.count, [&](const Segment& run) {
                    const bool joined = run.stride == static_cast<std::int64_t>(bytes);
                    for (std::uint64_t k = run.first; k < run.end(); k += joined ? run.count : 1)
                        std::memcpy(loop_->write_arena() + run.at(k),
                                    loop_->read_arena() + run.at(k),
                                    joined ? run.count * bytes : bytes);
                });
    }
}

/// Adds the groups for delay lines, and for buses without a writing process that do not hold their
/// value. They depend on nothing.
void Engine::add_unwritten() {
    std::vector<Item> front;
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        const auto group = [&] { return static_cast<std::uint32_t>(groups_.size()); };
        if (bus.delay >= 2) {
            const std::vector<Range> elements =
                shares_ ? rank_slots_->stepped(options_.ranks->rank(), bus)
                        : std::vector<Range>{{0, bus.count}};
            for (const Range& range : elements)
                front.push_back({0, group(), 0, range, false});
            auto line = std::make_unique<DelayLine>(bus, layout_.buses[b], elements);
            delays_[b] = line.get();
            groups_.push_back(std::move(line));
        }
        if (!begins_with_value(bus) || bus.unwritten == Unwritten::hold)
            continue; // a slot that nothing steps keeps its value
        const std::vector<Range> ranges = unwritten(bus, analysis_.writers);
        for (const Range& range : ranges)
            front.push_back({0, group(), 0, range, false});
        if (!ranges.empty())
            groups_.push_back(std::make_unique<UnwrittenSlots>(bus, layout_.buses[b]));
    }
    schedule_.items.insert(schedule_.items.begin(), front.begin(), front.end());
}

/// An observer of wires runs once all wires have their values; it may read other buses at any time.
/// Memory writes follow an observer that reads memories.
void Engine::attach(Observer& observer, LooksAt looks) {
    observer.open(ObservedEngine<>{graph_, layout_, words(), missing_});
    observers_.push_back(&observer);
    observes_memories_ = observes_memories_ || looks.memories;
    const bool wires = layout_.wires_begin < layout_.arena_bytes;
    const auto group = static_cast<std::uint32_t>(groups_.size() + observers_.size() - 1);
    Item item{wires ? schedule_.last_step_level + 1 : 0, group, 0, {0, 1}, true, true};
    for (const Item& other : schedule_.items)
        if (looks.observers && other.observer && other.group < graph_.processes.size())
            item.level = std::max(item.level, other.level + 1);
    item.steps = &observer;
    item.control = reports_.add(group, 0);
    const auto behind =
        std::find_if(schedule_.items.begin(), schedule_.items.end(), [&](const Item& other) {
            return other.level > item.level || (looks.memories && commits_memory(other));
        });
    if (behind - schedule_.items.begin() < static_cast<std::ptrdiff_t>(schedule_.interior))
        schedule_.interior = ~std::size_t{0};
    schedule_.items.insert(behind, item);
    for (Item& other : schedule_.items)
        if (looks.memories && commits_memory(other))
            other.level = std::max(other.level, item.level + 1);
    schedule_.levels = std::max(schedule_.levels, schedule_.items.back().level + 1);
    access_->items_.reset(); // they have other numbers
}

bool Engine::commits_memory(const Item& item) const {
    return item.group < graph_.processes.size() &&
           graph_.processes[item.group].parts[item.part].kind == Part::Kind::commit;
}

/// Call it after all observers are attached.
void Engine::prepare() {
    orchestrator_ =
        std::make_unique<Orchestrator>(graph_, layout_, analysis_, schedule_, options_.run, *loop_);
    orchestrator_->record_events(options_.max_events);
    if (options_.measure)
        orchestrator_->keep_usage();
    const bool one_thread =
        options_.run.threads == 0 ? usable_cpus() == 1 : options_.run.threads == 1;
    decides_ = !one_thread && !repeats_;
    if (!decides_)
        orchestrator_->stop_deciding();
    if (repeats_ && repeats_->threads > 1)
        orchestrator_->set_placement(std::move(repeats_->table), std::move(repeats_->placement));
    else if (options_.run.policy && options_.run.threads != 1)
        orchestrator_->check_policy(options_.run.threads == 0 ? 2 : options_.run.threads);
    tuner_ = std::make_unique<Tuner>(*orchestrator_, *loop_, options_.run, options_.slice);
}

unsigned Engine::cycle_kernel_threads() const {
    constexpr unsigned most = 8; // each thread checks all others in every cycle
    const SimulatorOptions& run = options_.run;
    const unsigned cpus = usable_cpus(), threads = run.threads == 0 ? cpus : run.threads;
    const bool is_usual = run.queue == QueueKind::fixed && !run.policy && !run.adaptive &&
                          !repeats_ && run.wait != Wait::block && run.serial_levels;
    return is_usual && threads <= std::min(cpus, most) ? threads : 1;
}

/// Items that did not run keep their state and leave their outputs unwritten.
void Engine::leave_unwritten(const Item& item, const Frame& frame) const {
    if (item.group >= graph_.processes.size())
        return;
    const ProcessFamily& family = graph_.processes[item.group];
    Build build{graph_, family, layout_.orders[item.group], {}, {}, {}, 0};
    for (const Port& port : family.ports)
        build.ports.push_back(layout_.port_slots(graph_, item.group, port));
    Outputs{build}.prepare(item.part, item.range, frame);
}

/// The wires that steps at later levels than this write, for MissingWires.
std::vector<Range> Engine::wires_after(std::uint32_t level) const {
    std::vector<Range> result;
    if (level >= schedule_.last_step_level)
        return result;
    for (const Writers::Run& run : analysis_.writers.runs())
        for (std::uint64_t k = 0; k < run.count; ++k) {
            std::uint32_t last = 0;
            const std::vector<Part>& parts = graph_.processes[run.family].parts;
            for (std::size_t p = 0; p < parts.size(); ++p)
                for (const PortUse& use : parts[p].writes)
                    if (use.port == run.port)
                        last = std::max(last,
                                        analysis_.levels.parts[run.family][p].at(run.instance + k));
            const std::uint64_t element = run.first + k;
            if (last <= level || !graph_.family_of(element).wire())
                continue;
            if (result.empty() || result.back().first + result.back().count != element)
                result.push_back({element, 0});
            ++result.back().count;
        }
    return result;
}

RunEnd Engine::run(std::uint64_t cycles) {
    if (finished_ || (exchange_ && ending() != RunEnd::completed))
        return ending();
    try {
        if (!orchestrator_)
            prepare();
        if (exchange_)
            run_with_ranks(std::min(cycles, ~std::uint64_t{0} - cycle()));
        else
            tuner_->run(cycles);
    } catch (...) {
        finished_ = true; // the run did not end regularly
        throw;
    }
    return ending();
}

/// Lines printed at the end come after all others.
void Engine::finish_groups() {
    if (cycle() == 0)
        return;
    std::vector<bool> finished(graph_.processes.size(), false);
    for (const Item& item : schedule_.items)
        if (item.group < finished.size() && !finished[item.group]) {
            finished[item.group] = true;
            groups_[item.group]->finish(*item.control);
        }
    reports_.end_cycle();
}

void Engine::finish() {
    if (finished_ || !loop_)
        return;
    finished_ = true;
    if (exchange_ && exchange_->rank() == 0)
        order({Order::Kind::finish});
    if (ending() != RunEnd::faulted) {
        loop_->observe();
        finish_groups();
        if (exchange_)
            reports_.join(*options_.ranks);
    }
    if (exchange_)
        join_counts();
    for (Observer* observer : observers_)
        observer->close(cycle());
    if (audited_)
        options_.run.auditor->close();
}

} // namespace sme::engine
