// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/emit/plan.hpp"
#include "native/ir/part_lowering.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

/// A range of one part of a process family that the schedule runs at one place.
struct ScheduledStep {
    static constexpr std::uint32_t no_family = ~std::uint32_t{0};
    std::uint32_t family; // no_family: of no process family
    unsigned part;
    Range range;
    Group* group; // what steps it
};

/// What a function over several families finds behind `data`, in the order in which it was asked
/// for.
class FamilyData {
public:
    struct Entry {
        std::uint32_t family; // or the number of the step, where it is no family's
        Datum datum;
        auto operator<=>(const Entry&) const = default;
    };
    /// `pattern`: how number k of them is called, as in "data[{}]".
    explicit FamilyData(std::string pattern) : pattern_{std::move(pattern)} {}

    /// `words`: of a memory, those of all instances.
    std::string name(std::uint32_t family, const Datum& wanted, const Words& words = {});
    const std::vector<Entry>& entries() const { return entries_; }
    /// Whether no other entry points to bytes of this one, which may be written.
    bool is_alone(std::size_t entry) const;

private:
    std::string pattern_;
    std::vector<Entry> entries_;
    std::vector<Words> words_; // of each entry
    std::map<Entry, std::size_t> numbers_;
};

/// Steps of the schedule, linked: the code of single instances at constant places, in the order
/// of the schedule, and calls of the kernels of ranges of many. Of a step all values come first,
/// then whether one of its instances stops, then what is stored and written: it either is done
/// whole or has changed nothing but its outputs.
class CycleProgram {
public:
    struct Style {
        std::string data;   // how number k of the data is called: "data[{}]"
        std::string arenas; // for kernels that are called: "b->read, b->write"
        std::string cycle;  // "b->cycle"
        /// Memory writes come last, so none need wait.
        bool whole_cycles;
    };
    CycleProgram(const Style& style, std::uint64_t wires_begin, Tables& tables)
        : data{style.data}, style_{style}, wires_begin_{wires_begin}, tables_{tables} {}

    /// `stop`: leaves the function: "return 3;".
    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step,
             const std::string& stop);
    /// The part of an observer. Its values and stops are added, not its writes.
    PartCode add_observer(const Subject& subject, std::uint32_t family, const std::string& stop);
    void add(const std::vector<Id>& ids) {
        routine.body.insert(routine.body.end(), ids.begin(), ids.end());
    }
    Id add_effect(std::string text, std::vector<Id> operands = {}, bool lasts = false);

    /// The statement that makes a write to a memory, if one waits behind the pointer `waiting`.
    /// `position`: of the instance.
    std::string commit(const Subject& subject, std::uint32_t family, const expr::MemoryWrite& write,
                       const std::string& waiting, const std::string& position);

    std::uint64_t wires_begin() const { return wires_begin_; }

    Routine routine;
    FamilyData data;
    /// What kernels that are called read or write.
    Ranges called_slots;
    std::vector<Words> called_memories;
    bool calls = false;    // of kernels
    bool may_stop = false; // something that was added may leave the function

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

/// Whether the instances of a step are written one by one, as straight code.
bool are_single(const Subject& subject, const ScheduledStep& step);
/// How many calls of kernels a step is, where they are not.
std::size_t count_calls(const PartPlan& plan, const ScheduledStep& step);

} // namespace sme::native
