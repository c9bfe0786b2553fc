// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cycle/schedule.hpp"
#include "runtime/observer.hpp"

namespace sme::engine {

/// Steps the instances of a group one at a time: for an auditor, which is notified of each, or in a
/// random order that changes in each cycle.
class PerInstanceGroup final : public Group {
public:
    PerInstanceGroup(Group& group, std::uint32_t family, Auditor* auditor,
                     std::optional<std::uint64_t> shuffle)
        : group_{&group}, family_{family}, auditor_{auditor}, shuffle_{shuffle} {}
    void step(unsigned part, Range range, const Frame& frame) override;
    void finish(Control& control) override { group_->finish(control); }
    /// From now on, `group` steps the instances.
    void exchange(Group& group) { group_ = &group; }

private:
    void step_one(unsigned part, std::uint64_t position, const Frame& frame);

    Group* group_;
    std::uint32_t family_;
    Auditor* auditor_;
    std::optional<std::uint64_t> shuffle_;
};

/// Shuffles the items within each level.
void shuffle_items(Schedule& schedule, std::uint64_t seed);

} // namespace sme::engine
