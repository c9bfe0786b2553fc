// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/emit/kernel.hpp"
#include "native/ir/part_lowering.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

/// A range of one part of a process family, at one place in the schedule.
struct ScheduledStep {
    static constexpr std::uint32_t no_family = ~std::uint32_t{0};
    std::uint32_t family; // no_family if it has no process family
    unsigned part;
    Range range;
    Group* group;       // steps it
    bool apart = false; // not in one function with the step before it
};

/// The entries of `data` for a function over several families, in the order of first use.
class FamilyData {
public:
    struct Entry {
        std::uint32_t family; // or the step number, if it has no family
        Datum datum;
        auto operator<=>(const Entry&) const = default;
    };
    /// `pattern`: the C expression for entry k, such as "data[{}]".
    explicit FamilyData(std::string pattern) : pattern_{std::move(pattern)} {}

    /// `words`: of a memory, those of all instances.
    std::string name(std::uint32_t family, const Datum& wanted, const Words& words = {});
    const std::vector<Entry>& entries() const { return entries_; }
    /// True if no other entry points to bytes of this one, so that it may be written.
    bool is_alone(std::size_t entry) const;

private:
    std::string pattern_;
    std::vector<Entry> entries_;
    std::vector<Words> words_; // by entry
    std::map<Entry, std::size_t> numbers_;
};

/// Links steps of the schedule: the code of single instances at constant addresses, in the order of
/// the schedule, and calls of kernels for ranges of many. A step first computes its values, then
/// tests whether one of its instances stops, then stores and writes. So it either completes or
/// changes only its outputs.
class CycleProgram {
public:
    struct Style {
        std::string data;   // expression for entry k of the data: "data[{}]"
        std::string arenas; // for called kernels: "b->read, b->write"
        std::string cycle;  // "b->cycle"
        /// Memory writes come last, so they need no buffers.
        bool whole_cycles;
    };
    CycleProgram(const Style& style, std::uint64_t wires_begin, Tables& tables)
        : data{style.data}, style_{style}, wires_begin_{wires_begin}, tables_{tables} {}

    /// `stop`: the statement that leaves the function, such as "return 3;".
    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step,
             const std::string& stop);
    /// Adds the values and stops of an observer's part, but not its writes.
    PartCode add_observer(const Subject& subject, std::uint32_t family, const std::string& stop);
    void add(const std::vector<Id>& ids) {
        routine.body.insert(routine.body.end(), ids.begin(), ids.end());
    }
    Id add_effect(std::string text, std::vector<Id> operands = {}, bool lasts = false);

    /// The statement that commits a memory write if one waits at the pointer `waiting`. `position`:
    /// of the instance.
    std::string commit(const Subject& subject, std::uint32_t family, const expr::MemoryWrite& write,
                       const std::string& waiting, const std::string& position);

    std::uint64_t wires_begin() const { return wires_begin_; }

    Routine routine;
    FamilyData data;
    /// Slots that called kernels read or write.
    Ranges called_slots;
    std::vector<Words> called_memories;
    bool calls = false;    // calls kernels
    bool may_stop = false; // something may leave the function

private:
    class Instance;
    void add_instances(const Subject& subject, const ScheduledStep& step, const std::string& stop);
    void add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step,
                   const std::string& stop);
    std::string call(const Subject& subject, const PartPlan& plan, const ScheduledStep& step,
                     const InstanceRun& instances, Range range, const std::string& random);
    void note_called(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    std::string pointer(const char* type, const ScheduledStep& step, Datum::Kind kind,
                        std::uint32_t number);

    Style style_;
    std::uint64_t wires_begin_;
    Tables& tables_;
};

/// False for a step that counts for several instances: threads have separate counters.
bool can_link(const Subject& subject, const ScheduledStep& step);
/// True if the instances of a step are written one by one, as straight code.
bool are_single(const Subject& subject, const ScheduledStep& step);
/// The number of kernel calls in any other step.
std::size_t count_calls(const PartPlan& plan, const ScheduledStep& step);

} // namespace sme::native
