// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "native/native_cycles.hpp"
#include "native/native_group.hpp"
#include "native/toolchain/c_compiler.hpp"
#include "native/toolchain/c_module.hpp"
#include "runtime/observer.hpp"

namespace sme::native {

/// A network's processes as native code; must outlive the run. It is built in three steps, which
/// may be far apart: the constructor writes the C (the network must not run meanwhile); the files
/// are compiled (on any thread, while the network runs); `load` builds the groups of each compiled
/// file, which may replace the interpreter's between any two cycles.
class Native {
public:
    /// Arguments as for CModule.
    Native(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           std::vector<ScheduledStep> steps = {}, const ModuleOptions& options = {})
        : module_{graph, groups, wires_begin, std::move(steps), options}, graph_{graph},
          groups_of_network_{groups}, objects_(module_.files().size()),
          fused_(module_.fused().size()) {
        for (const FamilyPlan& family : module_.families())
            waiting_.push_back(&family);
        for (const ResultsPlan& results : module_.results())
            waiting_results_.push_back(&results);
    }

    const CModule& c_module() const { return module_; }
    /// Adds the functions of a C file, in any order of files, and lets observers use theirs; false,
    /// with a problem, if a function is missing.
    bool load(std::size_t file, std::shared_ptr<const Object> object, std::string& problem);
    /// The group that steps a process family from now on; null: no change. Call it after `load`.
    NativeGroup* group(std::uint32_t family) const {
        const auto found = groups_.find(family);
        return found == groups_.end() ? nullptr : found->second.get();
    }
    /// The number of native process families, stepped part by part or in fused steps.
    std::size_t families() const;
    /// Runs fused steps on one thread. Returns the number of completed steps: the groups must run
    /// the next one and those after it.
    std::uint32_t run_fused(std::size_t number, const Frame& frame) const;
    /// The number of cycles that kernels of this thread count have run; 0: of any thread count.
    std::uint64_t cycles_in_kernels(unsigned threads = 0) const;

    /// Writes native code for the groups and the schedule of an engine, after all observers are
    /// attached. The engine completes the options.
    template <class Engine>
    static std::unique_ptr<Native> of(const Graph& graph, Engine& engine, bool in_one_go = true,
                                      ModuleOptions options = {}) {
        std::vector<Group*> groups;
        for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
            groups.push_back(&engine.group(f));
        std::vector<ScheduledStep> steps;
        if (in_one_go)
            for (const auto& item : engine.schedule().items)
                steps.push_back({item.group, item.part, item.range, item.steps,
                                 steps.size() == engine.schedule().interior});
        if (options.threads.count == 0)
            options.threads.count = engine.cycle_kernel_threads();
        options.threads.cut = &engine.layout().cut;
        options.least_skipped = engine.least_skipped();
        return std::make_unique<Native>(graph, groups, engine.layout().wires_begin,
                                        std::move(steps), options);
    }
    /// Call it after `load`, between cycles only: lets the loaded native code step that engine's
    /// processes, part by part, in fused steps and in whole cycles. `before`: quick code that the
    /// engine uses until this replaces it; both must outlive the engine's last cycle.
    template <class Engine> void attach_to(Engine& engine, const Native* before = nullptr) {
        engine.swap_executor(std::exchange(fresh_, {}));
        if (std::exchange(fresh_fused_, false))
            engine.set_fused(fused_items(before));
        std::vector<CycleKernel*> kernels;
        for (const std::unique_ptr<NativeCycles>& one : cycle_kernels_)
            kernels.push_back(one.get());
        engine.set_cycle_kernels(std::move(kernels));
    }

private:
    bool is_loaded(std::uint32_t function) const {
        return objects_[module_.function(function).file] != nullptr;
    }
    Kernel kernel(std::uint32_t function) const;
    bool is_native(const ScheduledStep& step) const;
    bool is_complete(const FusedPlan& plan) const;
    std::vector<FusedItems> fused_items(const Native* before) const;
    std::byte* pointer(const FamilyData::Entry& entry) const;
    void load_families();
    void load_results();
    void load_fused();
    void load_cycle_kernels();

    CModule module_;
    const Graph& graph_;
    std::vector<Group*> groups_of_network_;
    std::vector<std::shared_ptr<const Object>> objects_;           // by file; null: not loaded
    std::map<std::uint32_t, std::unique_ptr<NativeGroup>> groups_; // by family
    std::vector<const FamilyPlan*> waiting_;                       // for their functions
    std::vector<const ResultsPlan*> waiting_results_;
    std::vector<std::pair<std::uint32_t, Group*>> fresh_; // not attached yet
    struct LoadedSteps {
        Kernel kernel = nullptr; // null: not loaded yet
        std::uint32_t steps = 0;
        std::vector<std::byte*> data;
        std::vector<const NativeGroup*> commits;
        std::vector<std::uint64_t> held;
    };
    std::vector<LoadedSteps> fused_;
    bool fresh_fused_ = false;
    std::vector<std::unique_ptr<NativeCycles>> cycle_kernels_; // for one thread and for several
    std::vector<std::unique_ptr<NativeResults>> results_;
};

} // namespace sme::native
