// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "network/graph.hpp"
#include "network/segments.hpp"

namespace sme {

/// What an observer may know of a simulator: the network, and where its slots lie.
class Observed {
public:
    virtual ~Observed() = default;
    virtual const Graph& graph() const = 0;
    /// Place in a family of buses → offset in the arenas of what readers see.
    virtual const Segments& slots(std::size_t bus_family) const = 0;
    /// The words of a memory of an instance in source order: they stay in place. In a step they are
    /// those that the cycle reads, when the writes of the process wait
    /// (`ProcessFamily::let_writes_wait`).
    virtual const std::byte* memory(std::uint32_t family, std::size_t memory,
                                    std::uint64_t instance) const = 0;
};

/// Looks at every cycle of a run and changes nothing.
///
/// Contract: `open` once before the first cycle; then `step(0, range, frame)` in every cycle, one
/// level after the last wire, and once more for the cycle after the last one (then
/// `frame.wires_settled` is false and only registered buses have values); then `close` once, also
/// after a fault. The run waits for a step; what takes long belongs on a thread of the observer's.
class Observer : public Group {
public:
    virtual void open(const Observed& observed) = 0;
    /// `cycles` have run.
    virtual void close(std::uint64_t cycles) = 0;
    /// What kept it from doing its work, for the user; empty while all is well.
    virtual std::string problem() const { return {}; }
};

/// What an auditor may know of a run beside what observers may.
class Audited : public Observed {
public:
    /// A piece of memory.
    struct Memory {
        const std::byte* begin;
        std::size_t bytes;
    };

    /// Position → instance in source order.
    virtual const Segments& order(std::uint32_t family) const = 0;
    /// Where the slots of a port lie: position → offset in the read arena (inputs) or the write
    /// arena (outputs).
    virtual const Segments& port_slots(std::uint32_t family, std::uint32_t port) const = 0;
    virtual std::size_t arena_bytes() const = 0;
    /// From this offset on both arenas are one memory.
    virtual std::size_t wires_begin() const = 0;
    /// The arenas as they are read: mapped once more, without the right to write.
    virtual std::array<Memory, 2> read_mappings() const = 0;
};

/// Which step of which instance.
struct StepId {
    std::uint32_t family;
    unsigned part;
    std::uint64_t position;
};

/// Judges a run: sees every step of every process, instance by instance, and decides after each
/// cycle whether the run goes on.
///
/// Contract: `open` once, `close` at the end; between them for each cycle `begin_cycle`, before and
/// after every step `before_step` and `after_step` on the thread that makes it, and `end_cycle`
/// before the arenas change places. While no step runs it may read both arenas, and in
/// `before_step` write into the write slots of that part, which the step is to prepare anyway.
class Auditor {
public:
    virtual ~Auditor() = default;
    virtual void open(const Audited& run) = 0;
    virtual void begin_cycle(const Frame& frame) = 0;
    virtual void before_step(const StepId& step, const Frame& frame) = 0;
    virtual void after_step(const StepId& step, const Frame& frame) = 0;
    /// `faulted`: the model faulted, so that later levels did not run. False ends the run.
    virtual bool end_cycle(const Frame& frame, bool faulted) = 0;
    /// The run is over; what `open` was given goes.
    virtual void close() = 0;
};

} // namespace sme
