// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cycle/layout.hpp"
#include "runtime/copy_plan.hpp"
#include "sme/group.hpp"

namespace sme::engine {

/// The stages of a bus family with a delay of n ≥ 2 cycles; one instance per element.
///
/// The value that the writer writes in cycle t is in its slot in t + 1. This group copies it to the
/// readers' slot, where they see it in t + n. A ring holds the n − 2 values in between.
class DelayLine final : public CopyingGroup {
public:
    DelayLine(const BusFamily& bus, const BusSlots& slots);
    void step(unsigned part, Range range, const Frame& frame) override;
    void state(Archive& archive) override;
    CopyPlan copy_plan() override;

private:
    const BusFamily& bus_;
    std::size_t slot_bytes_;
    std::size_t kept_bytes_; // bytes of a slot that a checkpoint holds
    std::uint64_t stages_;   // number of stages in the ring
    Segments from_;
    Segments to_;
    std::vector<std::byte> ring_; // [stage][element]
    std::uint64_t elements_;
};

/// Buses without a writing process, one instance per element. A poked or initial value is visible
/// for one cycle; then the unwritten rule applies.
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
