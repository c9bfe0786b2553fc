// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "native/kernel_writer.hpp"
#include "native/lap_writer.hpp"
#include "native/plan.hpp"
#include "native/row_writer.hpp"

namespace sme::native {

/// The C of a network, as one file, and what its functions are.
class Unit {
public:
    /// `groups` are those of the graph's process families; only those of YAML processes are looked
    /// at. Slots from `wires_begin` on are one memory in both arenas. `steps`: what the schedule
    /// runs, in its order. All but these must outlive it.
    Unit(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
         std::vector<ScheduledStep> steps = {});

    const std::string& text() const { return text_; }
    const std::vector<FamilyPlan>& families() const { return families_; }
    /// What observers look at, each a row of its own with one step: by family.
    const std::vector<std::pair<std::uint32_t, RowPlan>>& results() const { return results_; }
    /// Steps that are one function together, in the order of the schedule.
    const std::vector<RowPlan>& rows() const { return rows_; }
    /// Whole cycles; without a name where there is no such function.
    const LapPlan& lap() const { return lap_; }
    const std::vector<ScheduledStep>& steps() const { return steps_; }
    /// How many functions there are: parts of one text share one.
    std::size_t functions() const { return known_.size(); }

private:
    void add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group);
    PartPlan plan(const Subject& subject, unsigned part);
    std::string function(const Subject& subject, const std::string& body);
    std::string unique(const std::string& wanted);
    void write_results(const Subject& subject, std::uint32_t family);
    void write_rows(const Graph& graph);
    void write_lap(const Graph& graph);
    bool add_to_lap(const Graph& graph, std::uint32_t number, LapWriter& lap);
    const FamilyPlan* family(std::uint32_t number) const;
    bool aliases(const Subject& subject, unsigned part) const;

    std::uint64_t wires_begin_;
    std::vector<FamilyPlan> families_;
    std::vector<ScheduledStep> steps_;
    std::vector<RowPlan> rows_;
    LapPlan lap_;
    std::vector<std::pair<std::uint32_t, RowPlan>> results_;
    Tables tables_;
    std::map<std::string, std::string> known_; // body → name
    std::set<std::string> names_;
    std::string functions_;
    std::string text_;
};

} // namespace sme::native
