// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/slots/layout.hpp"
#include "network/graph.hpp"
#include "runtime/abilities.hpp"
#include "sme/internal/group.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

class ActivePart;

/// Finds the instances that need not run in a cycle, because a run would write what both arenas
/// already hold.
///
/// An instance that runs is compared: a slot has changed if the value that it wrote differs from
/// the one that was readable. It must run again only when a slot that it reads has changed in the
/// cycle before, or a wire in this one. If only its own outputs changed, they are copied to the
/// other arena; if nothing changed, nothing is done.
///
/// Processes whose steps depend on more than slots and their own memories (the cycle, random
/// values, prints, C++ objects) always run; they are compared for those that read them.
class Activity {
public:
    /// Null if no instance could ever be left out. `least_operations`: of all instances of a part
    /// that may leave out some. Sets `Item::activity`. The arguments must outlive the object, and
    /// the schedule must keep its items.
    static std::unique_ptr<Activity> of(const Graph& graph, const Layout& layout,
                                        const std::vector<std::unique_ptr<Group>>& groups,
                                        Schedule& schedule, std::uint64_t least_operations);
    ~Activity();

    /// Call it before each cycle in which items run through `ActivePart::step`. After a cycle in
    /// which they did not, and in a fresh cycle, every instance runs.
    void begin_cycle(std::uint64_t cycle, bool fresh);

    struct Steps {
        std::uint64_t all = 0;
        std::uint64_t skipped = 0; // including those whose outputs were only copied
    };
    /// The steps of instances so far. Call it between cycles.
    Steps steps() const;

private:
    friend class ActivePart;
    class Finder;
    struct alignas(64) Count {
        Steps steps;
    };

    Activity() = default;

    std::vector<std::unique_ptr<ActivePart>> parts_;
    /// For each bus element, then for each instance that writes memories: whether it changed in
    /// this cycle and in the one before.
    std::array<std::vector<std::uint8_t>, 2> changed_;
    std::vector<Count> counts_; // by thread
    unsigned now_ = 0;          // index of this cycle's changes
    bool all_ = true;           // every instance runs in this cycle
    std::uint64_t next_cycle_ = 0;
};

/// One part of a process family, or a group that only copies.
class ActivePart {
public:
    explicit ActivePart(Activity& activity) : activity_{activity} {}

    /// True if instances may be left out; otherwise the part only serves those that read it.
    bool skips() const { return skips_; }
    /// Steps those instances of a range that must run.
    void step(Group& group, unsigned part, Range range, const Frame& frame);

    /// Call it when another group steps the instances from now on.
    void set_executor(Group& group);
    /// Call these before and after all instances of a range have run in another way.
    void before_step(Range range, const Frame& frame) { keep_wires(range, frame); }
    void after_step(Range range, const Frame& frame);

private:
    friend class Activity;
    /// Consecutive positions with consecutive slots, and with elements at a constant distance.
    struct Run {
        std::uint64_t first;
        std::uint64_t count;
        std::uint64_t offset;
        std::uint64_t element;
        std::int64_t stride;                  // of elements
        std::array<std::uint8_t, 2> marked{}; // by cycle: some of the elements may be marked
        std::uint64_t end() const { return first + count; }
    };
    struct Output {
        std::vector<Run> runs; // ordered by position
        std::uint32_t bytes;   // of a slot
        bool wire;
        bool delayed;                  // readers see a slot of a delay line
        std::vector<std::byte> before; // of wires: the values before the step, by position

        std::size_t run_of(std::uint64_t position) const;
        std::uint64_t offset(std::uint64_t position) const {
            const Run& run = runs[run_of(position)];
            return run.offset + (position - run.first) * bytes;
        }
    };
    struct Input {
        Segments elements; // position → element
        bool wire;
    };

    template <class Visit> static void for_each_run(Output& output, Range range, Visit visit);
    void step_and_compare(Group& group, unsigned part, Range range, const Frame& frame);
    void keep_wires(Range range, const Frame& frame);
    void compare(Range range, const Frame& frame);
    void compare(const Output& output, Run& whole, const Run& run, const std::byte* before,
                 const std::byte* after);
    void mark_unchanged(const Output& output, Run& whole, const Run& run);
    void mark(Output& output, std::uint64_t position);
    void take_changes(std::uint64_t position);
    void find_needed(Range range);
    void clear_changes(Range range);
    void copy_outputs(Range range, const Frame& frame);

    Activity& activity_;
    bool skips_ = false;                 // instances may be left out
    SteadyGroup* executor_ = nullptr;    // null: it cannot step some instances
    std::vector<std::uint64_t> changes_; // by position, of the last step; for `executor_`
    std::uint64_t kept_ = 0;             // bits of outputs that both arenas hold
    std::vector<Output> outputs_;
    std::vector<Input> inputs_;
    std::uint8_t* wrote_ =
        nullptr; // by position: wrote a memory; null if the part writes no memory
    std::uint64_t wrote_element_ = 0;  // of the instance at position 0, after all elements
    std::vector<std::uint8_t> needed_; // by position
    std::array<std::vector<std::uint8_t>, 2> any_; // by position: whether a register has changed
};

} // namespace sme::engine
