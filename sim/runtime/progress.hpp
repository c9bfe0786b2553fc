// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sme/group.hpp"

namespace sme {

/// Items of a schedule behind each other that can also be run in one go, by one thread. `run`
/// returns how many of them are done; the next is then run by itself, and so are those behind it.
struct FusedItems {
    std::uint32_t first_item;
    std::uint32_t end_item;
    std::function<std::uint32_t(const Frame&)> run;
};

/// Runs whole cycles in one go, by as many threads at once as it is for.
class CycleKernel {
public:
    virtual ~CycleKernel() = default;
    virtual unsigned threads() const = 0;
    /// Of the work of all threads, what the busiest of them has; a guess.
    virtual double largest_share() const = 0;
    /// How many of so many cycles may be run from the one of the frame on; 0: none. Called by one
    /// thread, before `run`.
    virtual std::uint64_t begin(const Frame& frame, std::uint64_t cycles) = 0;
    /// Runs at most so many cycles, of which the arenas change places behind each. All threads,
    /// from `frame.thread` 0 on, call it at the same time and are told the same: how many are done.
    /// Of the next one nothing is. Behind the last one the read arena holds what it would else, and
    /// wires hold anything.
    virtual std::uint64_t run(const Frame& frame, std::uint64_t cycles) = 0;
    /// So many are done. Called by one thread, behind `run`, with the frame of the first of them.
    virtual void end(const Frame& frame, std::uint64_t done) = 0;
    /// Whether a thread ended the last `run` since it had waited very long for another one, as
    /// happens where other programs have the CPUs.
    virtual bool is_held_up() const = 0;
};

} // namespace sme
