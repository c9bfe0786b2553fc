// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/per_instance_group.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace sme::engine {

void PerInstanceGroup::step(unsigned part, Range range, const Frame& frame) {
    if (!shuffle_ || range.count == 1) {
        for (std::uint64_t k = 0; k < range.count; ++k)
            step_one(part, range.first + k, frame);
        return;
    }
    std::vector<std::uint64_t> positions(range.count);
    std::iota(positions.begin(), positions.end(), range.first);
    // minstd_rand: it is seeded again in every cycle, so seeding must be fast
    const std::uint64_t seed = (*shuffle_ * 31 + frame.cycle) * 1'000'003 + family_ * 8 + part;
    std::shuffle(positions.begin(), positions.end(),
                 std::minstd_rand{static_cast<std::uint32_t>(seed ^ (seed >> 32))});
    for (const std::uint64_t position : positions)
        step_one(part, position, frame);
}

void PerInstanceGroup::step_one(unsigned part, std::uint64_t position, const Frame& frame) {
    const StepId step{family_, part, position};
    if (auditor_)
        auditor_->before_step(step, frame);
    group_->step(part, {position, 1}, frame);
    if (auditor_)
        auditor_->after_step(step, frame);
}

void shuffle_items(Schedule& schedule, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    const auto end = schedule.items.end();
    for (auto begin = schedule.items.begin(); begin != end;) {
        const auto next =
            std::find_if(begin, end, [&](const Item& item) { return item.level != begin->level; });
        std::shuffle(begin, next, random);
        begin = next;
    }
}

} // namespace sme::engine
