// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "native/c_compiler.hpp"
#include "native/native_group.hpp"
#include "native/native_lap.hpp"
#include "native/native_results.hpp"
#include "native/unit.hpp"
#include "network/progress.hpp"

namespace sme::native {

/// A network's processes as native code; must outlive the run. It is made in three steps, which may
/// be far apart: the C is written (nothing is run meanwhile), it is compiled (on any thread, while
/// the network runs), and the groups are made, which may take the place of the interpreter's
/// between any two cycles.
class Native {
public:
    /// As for Unit.
    Native(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           std::vector<ScheduledStep> steps = {})
        : unit_{graph, groups, wires_begin, std::move(steps)}, groups_of_network_{groups} {}

    const Unit& unit() const { return unit_; }
    /// Takes the functions of the unit, and lets observers use theirs; false, with a problem, when
    /// one of them is missing.
    bool load(std::shared_ptr<const Object> object, std::string& problem);
    /// What steps a process family from now on; null: what stepped it before. After `load`.
    Group* group(std::uint32_t family) const {
        const auto found = groups_.find(family);
        return found == groups_.end() ? nullptr : found->second.get();
    }
    /// Runs the steps of a row of the unit, on one thread. Returns how many of them are done: the
    /// next is to be run by its group, and those behind it.
    std::uint32_t run_row(std::size_t row, const Frame& frame) const;
    /// Runs whole cycles, on one thread; null: it cannot.
    NativeLap* lap() const { return lap_.get(); }

    /// The native code of what an engine runs: its groups and its schedule, as they are when all
    /// observers are attached.
    template <class Engine>
    static std::unique_ptr<Native> of(const Graph& graph, Engine& engine, bool in_one_go = true) {
        std::vector<Group*> groups;
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
            groups.push_back(&engine.group(f));
        std::vector<ScheduledStep> steps;
        if (in_one_go)
            for (const auto& item : engine.schedule().items)
                steps.push_back({item.group, item.part, item.range, item.steps});
        return std::make_unique<Native>(graph, groups, engine.layout().wires_begin,
                                        std::move(steps));
    }
    /// After `load`: lets native code step the processes of that engine, part by part, in rows and
    /// in laps. Between cycles only.
    template <class Engine> void attach_to(Engine& engine) {
        for (const auto& [family, group] : groups_)
            engine.exchange(family, *group);
        std::vector<Row> rows;
        for (std::size_t k = 0; k < unit_.rows().size(); ++k)
            rows.push_back({unit_.rows()[k].first, unit_.rows()[k].end,
                            [this, k](const Frame& frame) { return run_row(k, frame); }});
        engine.set_rows(std::move(rows));
        if (lap_)
            engine.set_lap([this](const Frame& frame, std::uint64_t cycles) {
                return lap_->run(frame, cycles);
            });
    }

private:
    std::vector<std::string> names() const;
    void load_lap();

    Unit unit_;
    std::vector<Group*> groups_of_network_;
    std::shared_ptr<const Object> object_;
    std::map<std::uint32_t, std::unique_ptr<NativeGroup>> groups_; // by family
    struct LoadedRow {
        Kernel kernel;
        std::uint32_t steps;
        std::vector<std::byte*> data;
        std::vector<const NativeGroup*> commits;
    };
    std::vector<LoadedRow> rows_;
    std::unique_ptr<NativeLap> lap_;
    std::vector<std::unique_ptr<NativeResults>> results_;
};

} // namespace sme::native
