// SPDX-License-Identifier: Apache-2.0
#include "engine/access.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/cycle/cycle_loop.hpp"
#include "engine/slots/delay_line.hpp"
#include "runtime/abilities.hpp"
#include "runtime/memory_archive.hpp"

namespace sme::engine {

namespace {
/// Drops every report.
class Silence final : public Control {
public:
    void halt() override {}
    void fail() override {}
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t, const Diagnostic&) override {}
};
} // namespace

void CycleLoop::settle(const std::vector<std::uint32_t>& items) {
    Silence silence;
    Frame now = frame();
    now.control = &silence;
    for (const std::uint32_t k : items) {
        const Item& item = schedule_.items[k];
        item.steps->step(item.part, item.range, now);
        arenas_.show_wires(now.write);
    }
    fresh_ = true;
}

void CycleLoop::call(const std::vector<ModelGroup*>& models, bool edge) {
    Silence silence;
    Frame now = frame();
    now.control = &silence;
    for (ModelGroup* const group : models)
        edge ? group->reset(now) : group->look(now);
    fresh_ = true;
}

std::byte* Access::place(std::byte* arena, std::uint64_t element) const {
    const BusFamily& bus = engine_.graph_.family_of(element);
    const auto b = static_cast<std::size_t>(&bus - engine_.graph_.buses.data());
    return arena + engine_.layout_.buses[b].read.at(element - bus.first);
}

const std::byte* Access::value(std::uint64_t element) const {
    return place(engine_.loop_->read_arena(), element);
}

const std::byte* Access::words(std::uint32_t family, std::size_t memory,
                               std::uint64_t instance) const {
    return engine_.words_of(family, memory, instance);
}

void Access::disturb() {
    settled_at_.reset();
    engine_.loop_->disturb();
}

/// Both arenas get the value: nothing steps a bus that only keeps its value, and native code leaves
/// out what stores a value where it is.
void Access::make(const Change& change) {
    const auto put = [&](std::byte* to) {
        std::copy(change.bytes.begin(), change.bytes.end(), to + change.offset);
    };
    disturb();
    if (change.family)
        return put(engine_.words_of(*change.family, change.memory, change.at));
    const BusFamily& bus = engine_.graph_.family_of(change.at);
    const std::size_t end = change.offset + change.bytes.size();
    std::vector<std::size_t> marks;
    if (std::size_t mark = bus.type->size(); bus.has_marks())
        for (const Leaf& leaf : bus.type->leaves()) {
            if (leaf.offset < end && change.offset < leaf.offset + leaf.type->size())
                marks.push_back(mark);
            ++mark;
        }
    for (std::byte* const arena : {engine_.loop_->read_arena(), engine_.loop_->write_arena()}) {
        std::byte* const slot = place(arena, change.at);
        put(slot);
        for (const std::size_t mark : marks)
            slot[mark] = std::byte{1};
    }
}

void Access::change(Change change) {
    make(change);
    if (engine_.exchange_)
        changes_.push_back(std::move(change));
}

void Access::write(std::uint64_t element, std::size_t offset, std::span<const std::byte> bytes) {
    change({element, std::nullopt, 0, offset, {bytes.begin(), bytes.end()}});
}

void Access::write_words(std::uint32_t family, std::size_t memory, std::uint64_t instance,
                         std::size_t offset, std::span<const std::byte> bytes) {
    change({instance, family, memory, offset, {bytes.begin(), bytes.end()}});
}

/// Only the last part of a process changes its state; the only part of a YAML process whose outputs
/// are all wires changes none.
void Access::find_items() {
    items_.emplace();
    models_.clear();
    for (const auto& group : engine_.groups_)
        if (ModelGroup* const models = abilities_of(group.get()).models)
            models_.push_back(models);
    const Graph& graph = engine_.graph_;
    const std::vector<Item>& items = engine_.schedule_.items;
    for (std::uint32_t k = 0; k < items.size(); ++k) {
        const Item& item = items[k];
        if (item.observer || item.group >= graph.processes.size())
            continue;
        const ProcessFamily& family = graph.processes[item.group];
        const std::vector<PortUse>& writes = family.parts[item.part].writes;
        const bool computes =
            item.part + 1 < family.parts.size() || family.input ||
            (family.memories.empty() && abilities_of(engine_.groups_[item.group].get()).program);
        const bool only_wires = std::all_of(writes.begin(), writes.end(), [&](const PortUse& use) {
            const Segments& buses = family.ports[use.port].buses;
            return buses.size() > 0 &&
                   graph.family_of(static_cast<std::uint64_t>(buses.at(0))).wire();
        });
        if (computes && only_wires && !writes.empty())
            items_->push_back(k);
    }
}

void Access::settle() {
    CycleLoop& loop = *engine_.loop_;
    if (loop.ending() != RunEnd::completed || settled_at_ == loop.cycle())
        return;
    if (!items_)
        find_items();
    loop.settle(*items_);
    loop.call(models_, false);
    settled_at_ = loop.cycle();
}

/// Models run before any bus changes, so that all of them see the values before the edge.
void Access::reset() {
    settle();
    CycleLoop& loop = *engine_.loop_;
    loop.call(models_, true);
    const Graph& graph = engine_.graph_;
    const Layout& layout = engine_.layout_;
    for (std::size_t b = 0; b < graph.buses.size(); ++b) {
        const BusFamily& bus = graph.buses[b];
        if (bus.input || bus.wire()) // wires follow
            continue;
        for (const Segments* each : {&layout.buses[b].read, &layout.buses[b].written})
            for (const Segment& run : each->runs())
                put_initial(bus, run, loop.read_arena());
        if (const auto line = engine_.delays_.find(b); line != engine_.delays_.end())
            line->second->fill();
    }
    for (std::uint32_t family = 0; family < graph.processes.size(); ++family) {
        if (!abilities_of(engine_.groups_[family].get()).models)
            continue;
        for (const Port& port : graph.processes[family].ports)
            for (std::uint64_t k = 0; port.output && k < port.buses.size(); ++k) {
                const auto element = static_cast<std::uint64_t>(port.buses.at(k));
                const BusFamily& bus = graph.family_of(element);
                if (bus.wire())
                    continue;
                const auto b = static_cast<std::size_t>(&bus - graph.buses.data());
                const auto slot = layout.buses[b].written.at(element - bus.first);
                std::memcpy(loop.read_arena() + slot, loop.write_arena() + slot, slot_size(bus));
            }
    }
    std::memcpy(loop.write_arena(), loop.read_arena(), layout.wires_begin);
    disturb();
}

} // namespace sme::engine
