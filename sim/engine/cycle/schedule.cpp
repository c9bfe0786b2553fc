// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/schedule.hpp"

#include <algorithm>

namespace sme::engine {

namespace {

void add_part(const ProcessFamily& family, std::uint32_t group, unsigned part,
              const PartLevels& levels, const Segments& order, std::vector<Item>& items) {
    if (levels.is_uniform()) {
        items.push_back(
            {levels.at(0), group, part, {0, family.count}, family.observer, family.observer});
        return;
    }
    for (std::uint64_t position = 0; position < family.count; ++position) {
        const std::uint32_t level = levels.at(static_cast<std::uint64_t>(order.at(position)));
        if (position > 0 && items.back().level == level)
            ++items.back().range.count;
        else
            items.push_back({level, group, part, {position, 1}, family.observer, family.observer});
    }
}

} // namespace

Schedule Schedule::of(const Graph& graph, const Levels& levels, const Layout& layout) {
    Schedule schedule;
    schedule.levels = levels.count;
    bool commits = false;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        for (unsigned p = 0; p < family.parts.size(); ++p) {
            if (family.parts[p].kind == Part::Kind::commit) {
                schedule.items.push_back({levels.count, f, p, {0, 1}, true}); // in one call
                commits = true;
            } else
                add_part(family, f, p, levels.parts[f][p], layout.orders[f], schedule.items);
        }
    }
    schedule.levels += commits ? 1 : 0;
    std::stable_sort(schedule.items.begin(), schedule.items.end(),
                     [](const Item& a, const Item& b) { return a.level < b.level; });
    for (const Item& item : schedule.items)
        if (!item.always)
            schedule.last_step_level = item.level;
    return schedule;
}

} // namespace sme::engine
