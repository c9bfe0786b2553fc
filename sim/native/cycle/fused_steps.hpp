// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "native/cycle/cycle_program.hpp"

namespace sme::native {

/// Steps that follow each other in the schedule, as one function.
struct FusedPlan {
    std::uint32_t first = 0; // numbers of steps
    std::uint32_t end = 0;
    std::string name;
    std::uint32_t function = 0; // number of the module's functions
    std::vector<FamilyData::Entry> data;
    std::vector<std::uint32_t> commits; // families whose memory writes are made in it
};

/// Writes such a function. It returns 0, or, where the interpreter has something to do, how many
/// steps are done and 1.
class FusedStepsWriter {
public:
    FusedStepsWriter(std::string name, std::uint32_t first, std::uint64_t wires_begin,
                     Tables& tables);

    /// How many statements a step would be, about, or 0: it cannot be fused.
    static std::size_t size(const Subject& subject, const PartPlan* plan,
                            const ScheduledStep& step);

    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add_commit(const Subject& subject, std::uint32_t family);
    /// All that an observer looks at, as a function of its own.
    void add_results(const Subject& subject, std::uint32_t family);

    std::size_t statements() const { return program_.routine.body.size(); }
    std::uint32_t steps() const { return plan_.end - plan_.first; }
    FusedPlan plan() const;
    std::string text();

private:
    std::string stop() const;

    FusedPlan plan_;
    CycleProgram program_;
};

} // namespace sme::native
