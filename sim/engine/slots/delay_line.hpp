// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/slots/layout.hpp"
#include "engine/slots/zeroed_bytes.hpp"
#include "runtime/abilities.hpp"
#include "runtime/observer.hpp"
#include "sme/internal/group.hpp"

namespace sme::engine {

/// The values of an element that its readers see in later cycles. After the steps of cycle t, that
/// of cycle t + 1 + i is in the ring, in stage (t + i) modulo `stages`, for i from 1 to `stages`;
/// the last one is in the slot `written` of the arena that cycle t has written.
struct LaterValues {
    const std::byte* ring; // of stage 0
    std::uint64_t stages, stage_bytes;
    std::uint64_t written; // offset in the arena
    std::uint64_t bytes;   // of a slot

    const std::byte* at(std::uint64_t cycle, std::uint64_t i, const std::byte* arena) const {
        return i > stages ? arena + written : ring + (cycle + i) % stages * stage_bytes;
    }
};

/// The stages of a bus family with a delay of n ≥ 2 cycles; one instance per element.
///
/// The value that the writer writes in cycle t is in its slot in t + 1. This group copies it to the
/// readers' slot, where they see it in t + n. A ring holds the n − 2 values in between.
class DelayLine final : public CopyingGroup {
public:
    /// `elements`: those that it steps.
    DelayLine(const BusFamily& bus, const BusSlots& slots, const std::vector<Range>& elements);
    void step(unsigned part, Range range, const Frame& frame) override;
    void state(Archive& archive) override { state_of(archive, {0, elements_}); }
    void state_of(Archive& archive, Range elements) override;
    CopyPlan copy_plan() override;
    /// Fills the stages with the initial values.
    void fill();
    /// Valid as long as this line.
    LaterValues later(std::uint64_t element) const;

private:
    const BusFamily& bus_;
    std::size_t slot_bytes_;
    std::size_t kept_bytes_; // bytes of a slot that a checkpoint holds
    std::uint64_t stages_;   // number of stages in the ring
    Segments from_;
    Segments to_;
    ZeroedBytes ring_; // [stage][element]
    std::uint64_t elements_;
    std::vector<Range> stepped_;
};

/// The elements of a family without a writing process, by position.
std::vector<Range> unwritten(const BusFamily& bus, const Writers& writers);

/// Buses without a writing process that do not hold their value, one instance per element. A poked
/// or initial value is visible for one cycle.
class UnwrittenSlots final : public CopyingGroup {
public:
    UnwrittenSlots(const BusFamily& bus, const BusSlots& slots);
    void step(unsigned part, Range range, const Frame& frame) override;
    CopyPlan copy_plan() override;

private:
    const BusFamily& bus_;
    std::size_t slot_bytes_;
    Segments slots_;
};

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
    void swap_executor(Group& group) { group_ = &group; }

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
