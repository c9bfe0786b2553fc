// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sme {

struct Diagnostic;
struct Abilities;
class Archive;

/// Instances [first, first + count) of a group, numbered by position, which is the order of their
/// slots.
struct Range {
    std::uint64_t first;
    std::uint64_t count;
};

/// The requests of a step to its run. Any thread that runs a step may call these.
class Control {
public:
    virtual ~Control() = default;
    /// Ends the run after this cycle.
    virtual void halt() = 0;
    /// Reports a failed check and ends the run after this cycle.
    virtual void fail() = 0;
    /// Prints a line after this cycle, unless the instance at `position` faults in it. The lines of
    /// one cycle appear in source order of processes and instances; those of one instance by
    /// `order`.
    virtual void print(std::uint64_t position, std::uint32_t order, std::string line) = 0;
    /// Reports a fault of the instance at `position`; the run ends after this level.
    virtual void fault(std::uint64_t position, const Diagnostic& what) = 0;
};

/// The location of the values of one cycle: a bus is read at `read` and written at `write`, at the
/// same offset in both. Wires have one slot that both arenas map, so a value written there can be
/// read in the same cycle.
struct Frame {
    const std::byte* read;
    std::byte* write;
    std::uint64_t cycle;
    Control* control;
    /// For observers only: whether the wires have their values. False after the last cycle, and
    /// when a fault kept some wires from being computed.
    bool wires_settled = true;
    /// The number of this thread of the run, from 0.
    unsigned thread = 0;
    /// Slots or memories were changed since the last cycle, other than by steps.
    bool fresh = false;
};

/// All instances of one kind of process.
///
/// Contract: `step` runs one part of a range of instances. It first sets the range's own output
/// slots of that part to zero, or to the last value for `hold`, then writes them. It changes no
/// other slot and no state but its own, so disjoint ranges may run concurrently, in any order. It
/// never throws: faults of an instance are reported to `frame.control`.
class Group {
public:
    virtual ~Group() = default;
    virtual void step(unsigned part, Range range, const Frame& frame) = 0;
    /// Prints pending output. Called once after the last cycle, unless the model faulted. `control`
    /// accepts only prints.
    virtual void finish(Control& control) { static_cast<void>(control); }

    /// Saves or loads the state that its instances keep between cycles outside buses and memories,
    /// in source order; does nothing if there is no such state. Called between cycles only. May
    /// throw CheckpointError.
    virtual void state(Archive& archive) { static_cast<void>(archive); }
    /// The same for some of its instances, in source order. A group of which instances keep states
    /// of their own overrides it.
    virtual void state_of(Archive& archive, Range instances) {
        static_cast<void>(instances);
        state(archive);
    }
    /// Returns why its state cannot be saved, as a text for the user; empty if it can.
    virtual std::string unsaved() const { return {}; }
    /// Adds what other parts may ask of this group besides `step`.
    virtual void add_abilities(Abilities& abilities) { static_cast<void>(abilities); }
};

/// The data from which a group is built: the locations of its instances' ports and memories. See
/// network/build.hpp.
class Build;

/// A kind of process: builds the group of its instances for one simulator. Simulators share it, so
/// `build` changes nothing.
class GroupFactory {
public:
    using Function = std::function<std::unique_ptr<Group>(const Build& build)>;

    /// A guess for processes whose code is not known.
    static constexpr double usual_operations = 20;

    explicit GroupFactory(Function function, double its_operations = usual_operations)
        : build{std::move(function)}, operations{its_operations} {}
    const Function build;
    /// About how many operations an instance needs in a cycle.
    const double operations;
};

} // namespace sme
