// SPDX-License-Identifier: Apache-2.0
//
// A cycle:
//   1. every item of the schedule in the order of levels; after the level of a fault only observers
//   2. attached observers
//   3. the arenas change places: what was written is now read
//   4. the outside is looked at: faults, failed checks, halts, interrupts
#include "engine/engine.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "engine/delay_line.hpp"
#include "network/outputs.hpp"

namespace sme::engine {

/// Knows on whose behalf a step speaks.
class Engine::GroupControl final : public Control {
public:
    GroupControl(Engine& engine, std::uint32_t family) : engine_{engine}, family_{family} {}

    // relaxed: read by the engine only after the level's steps have returned
    void halt() override { engine_.halt_.store(true, std::memory_order_relaxed); }
    void fail() override { engine_.failed_.store(true, std::memory_order_relaxed); }
    void print(std::uint64_t position, std::uint32_t order, std::string line) override {
        if (!engine_.print_sink_)
            return;
        const std::lock_guard lock{engine_.print_mutex_};
        engine_.prints_.push_back({family_, instance(position), order, std::move(line)});
    }
    void fault(std::uint64_t position, const Diagnostic& what) override {
        const std::lock_guard lock{engine_.fault_mutex_};
        engine_.faults_.push_back({family_, instance(position), engine_.cycle_, what});
        engine_.faulted_.store(true, std::memory_order_relaxed);
    }

private:
    std::uint64_t instance(std::uint64_t position) const {
        return static_cast<std::uint64_t>(engine_.layout_.orders[family_].at(position));
    }

    Engine& engine_;
    std::uint32_t family_;
};

Engine::Engine(const Graph& graph, const Analysis& analysis, const Options& options,
               Diagnostics& diagnostics)
    : graph_{graph}, layout_{Layout::of(graph, analysis, diagnostics)},
      interrupt_{options.interrupt}, print_sink_{options.prints} {
    if (diagnostics.has_errors())
        return;
    schedule_ = Schedule::of(graph, analysis.levels, layout_);
    arenas_ = std::make_unique<Arenas>(layout_.wires_begin, layout_.arena_bytes);
    read_ = arenas_->first();
    write_ = arenas_->second();
    fill_initial();
    make_memories();
    build_groups(analysis.writers, options.seed);
}

Engine::~Engine() {
    finish();
}

void Engine::fill_initial() {
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        if (bus.initial.empty() && !bus.has_initial)
            continue;
        const std::size_t bytes = slot_size(bus);
        const bool one = bus.initial.size() <= bus.type->size();
        std::vector<std::byte> slot = initial_slot(bus, 0);
        for (const Segments* slots : {&layout_.buses[b].read, &layout_.buses[b].written})
            for (const Segment& run : slots->runs())
                for (std::uint64_t k = run.first; k < run.end(); ++k) {
                    if (!one)
                        slot = initial_slot(bus, k);
                    std::memcpy(read_ + run.at(k), slot.data(), bytes);
                }
    }
}

void Engine::make_memories() {
    memory_of_.resize(graph_.processes.size());
    for (std::size_t f = 0; f < graph_.processes.size(); ++f)
        for (const Memory& memory : graph_.processes[f].memories) {
            const ProcessFamily& family = graph_.processes[f];
            const std::size_t each = memory.words * memory.element->size();
            std::vector<std::byte> words(each * family.count, std::byte{0});
            if (!memory.initial.empty())
                for (std::uint64_t k = 0; k < family.count; ++k) {
                    const auto source = static_cast<std::size_t>(layout_.orders[f].at(k));
                    const std::size_t from = memory.initial.size() == each ? 0 : source * each;
                    std::memcpy(words.data() + k * each, memory.initial.data() + from, each);
                }
            memory_of_[f].push_back(memory_words_.size());
            memory_words_.push_back(std::move(words));
        }
}

namespace {

/// The places of a family that no process writes.
std::vector<Range> unwritten(const BusFamily& bus, const Writers& writers) {
    std::vector<Range> ranges;
    const std::uint64_t end = bus.first + bus.count;
    auto next = std::upper_bound(
        writers.runs().begin(), writers.runs().end(), bus.first,
        [](std::uint64_t element, const Writers::Run& run) { return element < run.end(); });
    for (std::uint64_t element = bus.first; element < end; ++next) {
        const bool last = next == writers.runs().end() || next->first >= end;
        const std::uint64_t gap_end = last ? end : next->first;
        if (element < gap_end)
            ranges.push_back({element - bus.first, gap_end - element});
        if (last)
            break;
        element = next->end();
    }
    return ranges;
}

} // namespace

void Engine::build_groups(const Writers& writers, std::uint64_t seed) {
    const auto memory_slots = [&](std::size_t family, std::size_t memory) {
        const Memory& found = graph_.processes[family].memories[memory];
        return MemorySlots{memory_words_[memory_of_[family][memory]].data(), found.words,
                           found.element};
    };
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
        const ProcessFamily& family = graph_.processes[f];
        Build build{graph_, family, layout_.orders[f], {}, {}, {}, seed};
        for (const Port& port : family.ports)
            build.ports.push_back(layout_.port_slots(graph_, f, port));
        for (std::size_t m = 0; m < family.memories.size(); ++m)
            build.memories.push_back(memory_slots(f, m));
        for (const MemoryUse& use : family.looks_at) {
            MemorySlots slots = memory_slots(use.family, use.memory);
            const Segments& order = layout_.orders[use.family];
            std::uint64_t position = 0;
            while (static_cast<std::uint64_t>(order.at(position)) != use.instance)
                ++position;
            slots.words += position * slots.words_each * slots.element->size();
            build.looks_at.push_back(slots);
        }
        groups_.push_back(family.kind->build(build));
    }
    std::vector<Item> front; // delay lines and inputs depend on nothing
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        const auto group = [&] { return static_cast<std::uint32_t>(groups_.size()); };
        if (bus.delay >= 2) {
            front.push_back({0, group(), 0, {0, bus.count}, false});
            groups_.push_back(std::make_unique<DelayLine>(bus, layout_.buses[b]));
        }
        if (!bus.input && !bus.has_initial && bus.initial.empty())
            continue; // what nobody writes stays zero
        const std::vector<Range> ranges = unwritten(bus, writers);
        for (const Range& range : ranges)
            front.push_back({0, group(), 0, range, false});
        if (!ranges.empty())
            groups_.push_back(std::make_unique<UnwrittenSlots>(bus, layout_.buses[b]));
    }
    schedule_.items.insert(schedule_.items.begin(), front.begin(), front.end());
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
        controls_.push_back(std::make_unique<GroupControl>(*this, g));
}

namespace {

class ObservedEngine final : public Observed {
public:
    ObservedEngine(const Graph& graph, const Layout& layout) : graph_{graph}, layout_{layout} {}
    const Graph& graph() const override { return graph_; }
    const Segments& slots(std::size_t bus_family) const override {
        return layout_.buses[bus_family].read;
    }

private:
    const Graph& graph_;
    const Layout& layout_;
};

} // namespace

void Engine::attach(Observer& observer) {
    observer.open(ObservedEngine{graph_, layout_});
    observers_.push_back(&observer);
}

Frame Engine::frame() const {
    return {read_, write_, cycle_, nullptr, true};
}

void Engine::run_item(const Item& item, const Frame& frame) {
    Frame own = frame;
    own.control = controls_[item.group].get();
    groups_[item.group]->step(item.part, item.range, own);
}

void Engine::run_cycle() {
    Frame now = frame();
    std::uint32_t last_level = schedule_.levels;
    for (const Item& item : schedule_.items) {
        if (item.level > last_level && !item.observer)
            continue;
        run_item(item, now);
        if (faulted_.load(std::memory_order_relaxed) && item.level < last_level) {
            last_level = item.level;
            now.wires_settled = last_level >= schedule_.last_step_level;
        }
    }
    for (Observer* observer : observers_)
        observer->step(0, {0, 1}, now);
    if (last_level < schedule_.levels)
        for (const Item& item : schedule_.items)
            if (item.level > last_level && !item.observer)
                leave_unwritten(item, now);
    hand_over_prints();
    std::swap(read_, write_);
    ++cycle_;
}

void Engine::hand_over_prints() {
    if (prints_.empty())
        return;
    std::sort(prints_.begin(), prints_.end(), [](const PrintRecord& a, const PrintRecord& b) {
        return std::tie(a.family, a.instance, a.order) < std::tie(b.family, b.instance, b.order);
    });
    for (const PrintRecord& print : prints_) {
        const bool faulted =
            std::any_of(faults_.begin(), faults_.end(), [&](const FaultRecord& fault) {
                return fault.family == print.family && fault.instance == print.instance;
            });
        if (!faulted) // what faults changes nothing
            print_sink_->print(print.line);
    }
    prints_.clear();
}

/// What did not run keeps its state and leaves its outputs unwritten.
void Engine::leave_unwritten(const Item& item, const Frame& frame) {
    if (item.group >= graph_.processes.size())
        return;
    const ProcessFamily& family = graph_.processes[item.group];
    Build build{graph_, family, layout_.orders[item.group], {}, {}, {}, 0};
    for (const Port& port : family.ports)
        build.ports.push_back(layout_.port_slots(graph_, item.group, port));
    Outputs{build}.prepare(item.part, item.range, frame);
}

Ending Engine::run(std::uint64_t cycles) {
    if (finished_)
        return ending_;
    for (std::uint64_t k = 0; k < cycles && ending_ == Ending::completed; ++k) {
        run_cycle();
        if (faulted_.load(std::memory_order_relaxed))
            ending_ = Ending::faulted;
        else if (failed_.load(std::memory_order_relaxed))
            ending_ = Ending::check_failed;
        else if (halt_.load(std::memory_order_relaxed))
            ending_ = Ending::halted;
        else if (interrupt_ && interrupt_->load(std::memory_order_relaxed))
            ending_ = Ending::interrupted;
    }
    return ending_;
}

void Engine::finish() {
    if (finished_ || !read_)
        return;
    finished_ = true;
    if (ending_ != Ending::faulted) {
        Frame now = frame();
        now.wires_settled = false;
        for (const Item& item : schedule_.items)
            if (item.group < graph_.processes.size() && graph_.processes[item.group].observer)
                run_item(item, now);
        for (Observer* observer : observers_)
            observer->step(0, {0, 1}, now);
        if (faulted_)
            ending_ = Ending::faulted;
        else if (failed_)
            ending_ = Ending::check_failed;
    }
    for (Observer* observer : observers_)
        observer->close(cycle_);
}

std::vector<Diagnostic> Engine::faults() const {
    std::vector<FaultRecord> sorted = faults_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const FaultRecord& a, const FaultRecord& b) {
        return a.family != b.family ? a.family < b.family : a.instance < b.instance;
    });
    std::vector<Diagnostic> found;
    const FaultRecord* last = nullptr;
    for (FaultRecord& record : sorted) {
        const bool again =
            last && last->family == record.family && last->instance == record.instance;
        last = &record;
        if (again) // two parts of one process
            continue;
        const ProcessFamily& family = graph_.processes[record.family];
        const Location declared = family.instance_location(record.instance);
        if (!record.what.where.known())
            record.what.where = declared;
        else if (declared.known())
            record.what.note(declared, fmt::format("'{}' is declared here",
                                                   family.instance_name(record.instance)));
        record.what.message =
            fmt::format("in cycle {}, process '{}': {}", record.cycle,
                        family.instance_name(record.instance), record.what.message);
        found.push_back(std::move(record.what));
    }
    return found;
}

const std::byte* Engine::read_slot(std::uint64_t element) const {
    const BusFamily& bus = graph_.family_of(element);
    const auto b = static_cast<std::size_t>(&bus - graph_.buses.data());
    return read_ + layout_.buses[b].read.at(element - bus.first);
}

std::byte* Engine::read_slot(std::uint64_t element) {
    return const_cast<std::byte*>(std::as_const(*this).read_slot(element));
}

} // namespace sme::engine
