// SPDX-License-Identifier: Apache-2.0
//
// Wires between two cycles, for observers outside the network.
#include <algorithm>

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

/// Only the last part of a process changes its state; the only part of a YAML process whose outputs
/// are all wires changes none.
void Engine::settle() {
    if (!loop_ || loop_->ending() != RunEnd::completed)
        return;
    if (!settling_) {
        settling_.emplace();
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
}

} // namespace sme::engine
