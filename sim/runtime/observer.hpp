// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/build.hpp"
#include "network/graph.hpp"
#include "network/segments.hpp"
#include "sme/internal/group.hpp"

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

/// An observer's view of a simulator: the network, and the positions of its slots.
class Observed {
public:
    virtual ~Observed() = default;
    virtual const Graph& graph() const = 0;
    /// Position in a bus family → offset in the arenas of the slot that readers see.
    virtual const Segments& slots(std::size_t bus_family) const = 0;
    /// The words of a memory of an instance, given in source order, at a fixed address. During a
    /// step they are the words that the cycle reads, if the writes of the process wait
    /// (`ProcessFamily::let_writes_wait`).
    virtual const std::byte* memory(std::uint32_t family, std::size_t memory,
                                    std::uint64_t instance) const = 0;
    /// The wires without a value in a cycle whose wires are not settled; valid in each step.
    virtual const MissingWires& missing() const = 0;
};

/// Observes every cycle of a run and changes nothing.
///
/// Contract: `open` is called once before the first cycle; then `step(0, range, frame)` in every
/// cycle, one level after the last wire, and once more for the cycle after the last one
/// (`frame.wires_settled` is then false, and only registered buses have values); then `close` once,
/// also after a fault. The run waits for a step, so an observer moves long work to its own thread.
class Observer : public Group {
public:
    virtual void open(const Observed& observed) = 0;
    /// The bus elements whose values it reads, once it is open; none: all of them.
    virtual std::optional<std::vector<Range>> reads() const { return std::nullopt; }
    /// `cycles` is the number of completed cycles.
    virtual void close(std::uint64_t cycles) = 0;
    /// An error message for the user; empty if the observer works.
    virtual std::string problem() const { return {}; }
};

/// An auditor's view of a run, in addition to an observer's.
class Audited : public Observed {
public:
    /// A range of memory.
    struct Memory {
        const std::byte* begin;
        std::size_t bytes;
    };

    /// Position → instance in source order.
    virtual const Segments& order(std::uint32_t family) const = 0;
    /// The slots of a port: position → offset in the read arena (inputs) or the write arena
    /// (outputs).
    virtual const Segments& port_slots(std::uint32_t family, std::uint32_t port) const = 0;
    virtual std::size_t arena_bytes() const = 0;
    /// From this offset on, both arenas are the same memory.
    virtual std::size_t wires_begin() const = 0;
    /// Additional, read-only mappings of both arenas.
    virtual std::array<Memory, 2> read_mappings() const = 0;
};

/// A step of an instance.
struct StepId {
    std::uint32_t family;
    unsigned part;
    std::uint64_t position;
};

/// Judges a run: observes every step of every process, instance by instance, and decides after each
/// cycle whether the run continues.
///
/// Contract: `open` is called once, and `close` at the end; in between, for each cycle,
/// `begin_cycle`; before and after every step, `before_step` and `after_step` on the thread of the
/// step; and `end_cycle` before the arenas swap. While no step runs, an auditor may read both
/// arenas. In `before_step` it may write to the write slots of that part, which the step prepares
/// anyway.
class Auditor {
public:
    virtual ~Auditor() = default;
    virtual void open(const Audited& run) = 0;
    virtual void begin_cycle(const Frame& frame) = 0;
    virtual void before_step(const StepId& step, const Frame& frame) = 0;
    virtual void after_step(const StepId& step, const Frame& frame) = 0;
    /// `faulted`: the model faulted, so later levels did not run. False ends the run.
    virtual bool end_cycle(const Frame& frame, bool faulted) = 0;
    /// The run is over; the argument of `open` is about to be destroyed.
    virtual void close() = 0;
};

} // namespace sme
