// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "native/cycle/cycle_program.hpp"
#include "native/cycle/guarded_steps.hpp"

namespace sme::native {

/// Consecutive steps of the schedule, as one function.
struct FusedPlan {
    std::uint32_t first = 0; // step numbers
    std::uint32_t end = 0;
    std::string name;
    std::uint32_t function = 0; // its number in the module
    std::vector<FamilyData::Entry> data;
    std::vector<std::uint32_t> commits; // families whose memory writes it commits
    std::size_t held = 0;               // words of Datum::Kind::held
};

/// Writes such a function. It returns 0, or, when the interpreter is needed, the number of
/// completed steps plus 1.
class FusedStepsWriter {
public:
    FusedStepsWriter(std::string name, std::uint32_t first, std::uint64_t wires_begin,
                     Tables& tables);

    /// The approximate number of statements of a step; 0 if it cannot be fused.
    static std::size_t size(const Subject& subject, const PartPlan* plan,
                            const ScheduledStep& step);

    /// False if the step needs another function: with guarded steps, all steps must be such that
    /// they can be repeated.
    bool accepts(const Subject& subject, const PartPlan* plan) const;
    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add_commit(const Subject& subject, std::uint32_t family);
    /// Adds all operands of an observer, as a separate function.
    void add_results(const Subject& subject, std::uint32_t family);

    std::size_t statements() const { return program_.routine.body.size() + guarded_.statements(); }
    std::uint32_t steps() const { return plan_.end - plan_.first; }
    std::string text();
    /// Call it after `text`.
    FusedPlan plan() const;

private:
    std::string stop() const;

    FusedPlan plan_;
    CycleProgram program_;
    GuardedSteps guarded_;
    bool repeats_ = true; // all steps so far can be repeated
};

} // namespace sme::native
