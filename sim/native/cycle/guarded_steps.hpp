// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "native/cycle/cycle_program.hpp"

namespace sme::native {

/// Steps of fused functions that change nothing unless a condition holds: `... when phase == 7` for
/// every target, all of which keep their values otherwise. Steps with equal conditions become one
/// function, which is called only when the condition holds. In the first cycle in which it does not
/// hold, another function copies the values, so that both arenas hold them; after that, nothing is
/// done.
///
/// Such steps only read and write registers and read wires, so they can run after all others.
class GuardedSteps {
public:
    explicit GuardedSteps(std::string name) : name_{std::move(name)} {}

    /// Takes a step, if it is one; `program` gives it its addresses.
    bool add(CycleProgram& program, const Subject& subject, const PartPlan& plan,
             const ScheduledStep& step);
    /// Adds to the program what decides about the steps, and the calls. Steps whose condition is
    /// shared by too few become part of the program.
    void finish(CycleProgram& program);

    bool empty() const { return groups_.empty(); }
    /// The number of statements of a usual cycle, in which few conditions hold.
    std::size_t statements() const;
    /// The C functions that the program calls, after `finish`.
    const std::string& functions() const { return functions_; }
    /// The number of words in which the program keeps what it did in the last cycle, after
    /// `finish`; 0: it calls nothing.
    std::size_t words() const { return words_; }
    /// C that declares what the calls use; for the beginning of the program.
    std::string declarations() const;

private:
    struct Step {
        const Subject subject;
        const PartPlan* plan;
        ScheduledStep step;
    };
    struct Group {
        std::vector<Step> steps;
        Routine routine;
        std::string copies;
    };

    static Id condition_of(const Routine& routine, std::size_t first, std::uint64_t wires_begin);
    static std::string text_of(const Routine& routine, Id id, unsigned depth);
    void call(CycleProgram& program, Group& group);

    std::string name_;
    std::map<std::string, Group> groups_; // by the text of the condition
    std::string functions_;
    std::string data_;
    std::size_t words_ = 0;
};

} // namespace sme::native
