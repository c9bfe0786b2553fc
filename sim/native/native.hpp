// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "native/native_group.hpp"
#include "native/native_lap.hpp"
#include "native/native_results.hpp"
#include "native/toolchain/c_compiler.hpp"
#include "native/toolchain/unit.hpp"
#include "runtime/progress.hpp"

namespace sme::native {

/// A network's processes as native code; must outlive the run. It is made in three steps, which may
/// be far apart: the C is written (nothing is run meanwhile), its files are compiled (on any
/// thread, while the network runs), and of each that is there the groups are made, which may take
/// the place of the interpreter's between any two cycles.
class Native {
public:
    /// As for Unit.
    Native(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           std::vector<ScheduledStep> steps = {}, std::size_t file_bytes = Unit::default_file_bytes)
        : unit_{graph, groups, wires_begin, std::move(steps), file_bytes}, graph_{graph},
          groups_of_network_{groups}, objects_(unit_.files().size()), rows_(unit_.rows().size()) {
        for (const FamilyPlan& family : unit_.families())
            waiting_.push_back(&family);
        for (const ResultsPlan& results : unit_.results())
            waiting_results_.push_back(&results);
    }

    const Unit& unit() const { return unit_; }
    /// Takes the functions of a file of the unit, in any order of files, and lets observers use
    /// theirs; false, with a problem, when one of them is missing.
    bool load(std::size_t file, std::shared_ptr<const Object> object, std::string& problem);
    /// What steps a process family from now on; null: what stepped it before. After `load`.
    Group* group(std::uint32_t family) const {
        const auto found = groups_.find(family);
        return found == groups_.end() ? nullptr : found->second.get();
    }
    /// How many process families are native, part by part or in rows.
    std::size_t families() const;
    /// Runs the steps of a row of the unit, on one thread. Returns how many of them are done: the
    /// next is to be run by its group, and those behind it.
    std::uint32_t run_row(std::size_t row, const Frame& frame) const;
    /// Runs whole cycles, on one thread; null: it cannot.
    NativeLap* lap() const { return lap_.get(); }

    /// The native code of what an engine runs: its groups and its schedule, as they are when all
    /// observers are attached.
    template <class Engine>
    static std::unique_ptr<Native> of(const Graph& graph, Engine& engine, bool in_one_go = true,
                                      std::size_t file_bytes = Unit::default_file_bytes) {
        std::vector<Group*> groups;
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
            groups.push_back(&engine.group(f));
        std::vector<ScheduledStep> steps;
        if (in_one_go)
            for (const auto& item : engine.schedule().items)
                steps.push_back({item.group, item.part, item.range, item.steps});
        return std::make_unique<Native>(graph, groups, engine.layout().wires_begin,
                                        std::move(steps), file_bytes);
    }
    /// After `load`: lets native code step the processes of that engine as far as it is there, part
    /// by part, in rows and in laps. Between cycles only.
    template <class Engine> void attach_to(Engine& engine) {
        engine.exchange(std::exchange(fresh_, {}));
        if (std::exchange(fresh_rows_, false)) {
            std::vector<Row> rows;
            for (std::size_t k = 0; k < rows_.size(); ++k)
                if (rows_[k].kernel)
                    rows.push_back({unit_.rows()[k].first, unit_.rows()[k].end,
                                    [this, k](const Frame& frame) { return run_row(k, frame); }});
            engine.set_rows(std::move(rows));
        }
        if (lap_)
            engine.set_lap([this](const Frame& frame, std::uint64_t cycles) {
                return lap_->run(frame, cycles);
            });
    }

private:
    bool is_loaded(std::uint32_t function) const {
        return objects_[unit_.function(function).file] != nullptr;
    }
    Kernel kernel(std::uint32_t function) const;
    bool is_native(const ScheduledStep& step) const;
    bool is_complete(const RowPlan& plan) const;
    std::byte* pointer(const FamilyData::Entry& entry) const;
    void load_families();
    void load_results();
    void load_rows();
    void load_lap();

    Unit unit_;
    const Graph& graph_;
    std::vector<Group*> groups_of_network_;
    std::vector<std::shared_ptr<const Object>> objects_;           // of each file; null: not there
    std::map<std::uint32_t, std::unique_ptr<NativeGroup>> groups_; // by family
    std::vector<const FamilyPlan*> waiting_;                       // for their functions
    std::vector<const ResultsPlan*> waiting_results_;
    std::vector<std::pair<std::uint32_t, Group*>> fresh_; // not attached yet
    struct LoadedRow {
        Kernel kernel = nullptr; // null: it waits
        std::uint32_t steps = 0;
        std::vector<std::byte*> data;
        std::vector<const NativeGroup*> commits;
    };
    std::vector<LoadedRow> rows_;
    bool fresh_rows_ = false;
    std::unique_ptr<NativeLap> lap_;
    std::vector<std::unique_ptr<NativeResults>> results_;
};

} // namespace sme::native
