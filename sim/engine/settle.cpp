// SPDX-License-Identifier: Apache-2.0
//
// Wires and resets between two cycles, for observers outside the network.
#include <algorithm>
#include <cstring>

#include "engine/cycle/cycle_loop.hpp"
#include "engine/engine.hpp"
#include "runtime/abilities.hpp"

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

/// Only the last part of a process changes its state; the only part of a YAML process whose outputs
/// are all wires changes none.
void Engine::settle() {
    if (!loop_ || loop_->ending() != RunEnd::completed)
        return;
    if (!settling_) {
        settling_.emplace();
        for (const auto& group : groups_)
            if (ModelGroup* const models = abilities_of(group.get()).models)
                looking_.push_back(models);
        for (std::uint32_t k = 0; k < schedule_.items.size(); ++k) {
            const Item& item = schedule_.items[k];
            if (item.observer || item.group >= graph_.processes.size())
                continue;
            const ProcessFamily& family = graph_.processes[item.group];
            const std::vector<PortUse>& writes = family.parts[item.part].writes;
            const bool computes =
                item.part + 1 < family.parts.size() || family.input ||
                (family.memories.empty() && abilities_of(groups_[item.group].get()).program);
            const bool only_wires =
                std::all_of(writes.begin(), writes.end(), [&](const PortUse& use) {
                    const Segments& buses = family.ports[use.port].buses;
                    return buses.size() > 0 &&
                           graph_.family_of(static_cast<std::uint64_t>(buses.at(0))).wire();
                });
            if (computes && only_wires && !writes.empty())
                settling_->push_back(k);
        }
    }
    loop_->settle(*settling_);
    loop_->call(looking_, false);
}

/// Models run before any bus changes, so that all of them see the values before the edge.
void Engine::reset() {
    settle();
    loop_->call(looking_, true);
    std::byte* const arena = loop_->read_arena();
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        if (bus.input || bus.wire()) // wires follow
            continue;
        const BusSlots& slots = layout_.buses[b];
        for (const Segments* each : {&slots.read, &slots.written})
            for (const Segment& run : each->runs())
                put_initial(bus, run, arena);
        if (const auto line = delays_.find(b); line != delays_.end())
            line->second->fill();
    }
    for (std::uint32_t family = 0; family < graph_.processes.size(); ++family) {
        if (!abilities_of(groups_[family].get()).models)
            continue;
        for (const Port& port : graph_.processes[family].ports)
            for (std::uint64_t k = 0; port.output && k < port.buses.size(); ++k) {
                const auto element = static_cast<std::uint64_t>(port.buses.at(k));
                const BusFamily& bus = graph_.family_of(element);
                if (bus.wire())
                    continue;
                const auto b = static_cast<std::size_t>(&bus - graph_.buses.data());
                const auto slot = layout_.buses[b].written.at(element - bus.first);
                std::memcpy(arena + slot, loop_->write_arena() + slot, slot_size(bus));
            }
    }
}

} // namespace sme::engine
