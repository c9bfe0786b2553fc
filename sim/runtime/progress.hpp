// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sme/group.hpp"

namespace sme {

/// Consecutive items of a schedule that one thread can also run in one call. `run` returns the
/// number of completed items; the remaining ones then run one by one.
struct FusedItems {
    std::uint32_t first_item;
    std::uint32_t end_item;
    std::function<std::uint32_t(const Frame&)> run;
};

/// Runs whole cycles in one call, on a fixed number of threads at once.
class CycleKernel {
public:
    virtual ~CycleKernel() = default;
    virtual unsigned threads() const = 0;
    /// The estimated share of all work that the busiest thread has.
    virtual double largest_share() const = 0;
    /// How many of `cycles` cycles may run in the kernel, starting with that of the frame. Called
    /// by one thread, before `run`.
    virtual std::uint64_t begin(const Frame& frame, std::uint64_t cycles) = 0;
    /// Runs at most `cycles` cycles; the arenas swap after each. All threads, from `frame.thread` 0
    /// on, call it at the same time and get the same result: the number of completed cycles. The
    /// next cycle has had no effect. Afterwards the read arena holds its usual values; wires hold
    /// arbitrary values.
    virtual std::uint64_t run(const Frame& frame, std::uint64_t cycles) = 0;
    /// Records `done` completed cycles. Called by one thread, after `run`, with the frame of the
    /// first cycle.
    virtual void end(const Frame& frame, std::uint64_t done) = 0;
    /// True if a thread ended the last `run` because it had waited very long for another, as
    /// happens when other programs occupy the CPUs.
    virtual bool is_held_up() const = 0;
};

} // namespace sme
