// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cycle/layout.hpp"
#include "runtime/copy_plan.hpp"
#include "sme/group.hpp"

namespace sme::engine {

/// The stages of a family of buses with a delay of n ≥ 2 cycles: an instance for each element.
///
/// What the writer wrote in cycle t can be read in its slot in t + 1; this group copies it to the
/// readers' slot so that they see it in t + n. The n − 2 values between lie in a ring.
class DelayLine final : public CopyingGroup {
public:
    DelayLine(const BusFamily& bus, const BusSlots& slots);
    void step(unsigned part, Range range, const Frame& frame) override;
    void state(Archive& archive) override;
    CopyPlan copy_plan() override;

private:
    const BusFamily& bus_;
    std::size_t slot_bytes_;
    std::size_t kept_bytes_; // of a slot, in a checkpoint
    std::uint64_t stages_;   // in the ring
    Segments from_;
    Segments to_;
    std::vector<std::byte> ring_; // [stage][element]
    std::uint64_t elements_;
};

/// Buses that no process writes, an instance for each element: what was poked, or was there
/// initially, is seen for one cycle, then the unwritten rule applies.
class UnwrittenSlots final : public CopyingGroup {
public:
    UnwrittenSlots(const BusFamily& bus, const BusSlots& slots);
    void step(unsigned part, Range range, const Frame& frame) override;
    CopyPlan copy_plan() override;

private:
    const BusFamily& bus_;
    std::size_t slot_bytes_;
    bool hold_;
    Segments slots_;
};

} // namespace sme::engine
