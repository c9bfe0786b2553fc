// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sme {

struct Diagnostic;
class Archive;

/// Instances [first, first + count) of a group, numbered by position: the order of their slots.
struct Range {
    std::uint64_t first;
    std::uint64_t count;
};

/// What a step may ask of the run it is part of. Any thread that runs a step may call these.
class Control {
public:
    virtual ~Control() = default;
    /// Ends the run after this cycle.
    virtual void halt() = 0;
    /// A check did not hold: ends the run after this cycle.
    virtual void fail() = 0;
    /// Prints a line after this cycle, unless the instance at `position` faults in it. Lines of one
    /// cycle are in the source order of processes and instances, those of one instance by `order`.
    virtual void print(std::uint64_t position, std::uint32_t order, std::string line) = 0;
    /// Reports a fault of the instance at `position`; the run ends after this level.
    virtual void fault(std::uint64_t position, const Diagnostic& what) = 0;
};

/// Where the values of one cycle lie: a bus is read at `read` and written at `write`, at the same
/// offset in both. The slots of wires are one memory seen through both arenas, so what is written
/// there can be read in the same cycle.
struct Frame {
    const std::byte* read;
    std::byte* write;
    std::uint64_t cycle;
    Control* control;
    /// Observers only: whether the wires have their values. Not so after the last cycle, nor when a
    /// fault kept some of them from being computed.
    bool wires_settled = true;
    /// Which of the threads of the run this is: small numbers, from 0 on.
    unsigned thread = 0;
};

/// All instances of one kind of process.
///
/// Contract: `step` runs one part of a range of instances. It first prepares the range's own output
/// slots of that part (zero, or the last value for `hold`), then writes them; it touches no other
/// slot, and its own state only. So ranges that do not overlap may run at the same time, in any
/// order. It never throws: what goes wrong in an instance is reported to `frame.control`.
class Group {
public:
    virtual ~Group() = default;
    virtual void step(unsigned part, Range range, const Frame& frame) = 0;
    /// After the last cycle, once, unless the model faulted: what is left to be printed. `control`
    /// takes no more than that.
    virtual void finish(Control& control) { static_cast<void>(control); }

    /// Saves or loads what its instances keep from one cycle to another beside buses and memories,
    /// in source order; nothing when there is no such thing. Between cycles only. May throw
    /// CheckpointError.
    virtual void state(Archive& archive) { static_cast<void>(archive); }
    /// Why that cannot be done, for the user; empty: it can.
    virtual std::string unsaved() const { return {}; }
};

/// What a group is built from: where its instances' ports and memories lie. See network/build.hpp.
class Build;

/// A kind of process: builds the group of its instances for one simulator. Shared by simulators, so
/// `build` changes nothing.
class GroupFactory {
public:
    virtual ~GroupFactory() = default;
    virtual std::unique_ptr<Group> build(const Build& build) const = 0;
};

} // namespace sme
