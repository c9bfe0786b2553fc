// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "native/cycle/cycle_kernel.hpp"
#include "native/cycle/fused_steps.hpp"
#include "native/cycle/thread_shares.hpp"
#include "native/emit/kernel.hpp"
#include "native/toolchain/functions.hpp"

namespace sme::native {

/// The operands of an observer, as a separate function.
struct ResultsPlan {
    std::uint32_t family;
    FusedPlan fused;
    std::uint64_t operations; // per cycle
};

/// The contents of a module.
struct ModuleOptions {
    /// The size of one C file: GCC compiles it in a few seconds.
    static constexpr std::size_t default_file_bytes = std::size_t{256} << 10;
    std::size_t file_bytes = default_file_bytes;
    KernelThreads threads{0, nullptr}; // that may run whole cycles; 0: as the engine chooses
    std::uint64_t least_skipped = SteadyGroup::least_operations;
    /// Only what a compiler that does not optimise makes faster: single processes.
    bool quick = false;
};

/// The C of a network, and its functions: one file if short, otherwise files of bounded size:
/// functions of families, those with the highest cost per cycle together; fused steps; the cycle
/// kernel.
class CModule {
public:
    /// `groups` are the groups of the graph's process families; only those of YAML processes are
    /// used. Slots from `wires_begin` on are the same memory in both arenas. `steps`: the steps of
    /// the schedule, in order. All except `steps` must outlive the object.
    CModule(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
            std::vector<ScheduledStep> steps = {}, const ModuleOptions& options = {});

    /// The numbers of the functions of each C file; there is at least one file.
    const std::vector<std::vector<std::uint32_t>>& files() const { return placed_.files(); }
    /// The files in the best order to compile: the largest benefit per cycle first, for one thread
    /// or several.
    std::vector<std::size_t> order(bool one_thread) const;
    /// The text of one file. Any thread may call it.
    std::string text(std::size_t file) const;
    /// All of the C as one file, for reading.
    std::string text() const;
    const CFunction& function(std::uint32_t number) const { return functions_[number]; }

    const std::vector<FamilyPlan>& families() const { return families_; }
    const std::vector<ResultsPlan>& results() const { return results_; }
    /// Steps fused into one function each, in the order of the schedule.
    const std::vector<FusedPlan>& fused() const { return fused_; }
    /// Functions that run whole cycles together, one per thread; empty if not possible.
    struct CycleKernels {
        std::vector<CycleKernelPlan> threads;
        double largest_share = 1; // of the work
    };
    /// For one thread and for several.
    const std::vector<CycleKernels>& cycle_kernels() const { return cycle_kernels_; }
    const std::vector<ScheduledStep>& steps() const { return steps_; }
    /// The number of functions: parts with the same text share one.
    std::size_t functions() const { return functions_.shared(); }

private:
    void add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group);
    PartPlan plan(const Subject& subject, unsigned part);
    void write_results(const Subject& subject, std::uint32_t family);
    bool is_large(const Graph& graph) const;
    void place_families();
    void place_rest();
    void place_cycle_kernels();
    std::size_t fused_size(const Graph& graph, const ScheduledStep& step) const;
    void write_fused(const Graph& graph);
    void add_fused(FusedStepsWriter& writer);
    void write_cycle_kernels(const Graph& graph);
    bool can_be_whole_cycles() const;
    bool waits_in_whole_cycles(const Graph& graph, const ScheduledStep& step) const;
    PartPlan waiting_plan(const Graph& graph, const ScheduledStep& step);
    void add_cycle_kernels(const Graph& graph, const ThreadShares& shares);
    void weigh_files(const Graph& graph);
    std::string text_of(const std::vector<std::uint32_t>& functions) const;
    bool has_loops(const ScheduledStep& step) const;
    bool add_to_cycle_kernel(const Graph& graph, const ThreadShares::Piece& piece,
                             CycleKernelWriter& kernel);
    const FamilyPlan* family(std::uint32_t number) const;
    bool aliases(const Subject& subject, unsigned part) const;

    std::string network_; // its name
    std::uint64_t wires_begin_;
    ModuleOptions options_;
    std::vector<FamilyPlan> families_;
    std::vector<std::uint32_t> plan_of_; // by family of the graph: its plan, or no_plan
    std::vector<ScheduledStep> steps_;
    std::vector<FusedPlan> fused_;
    std::vector<CycleKernels> cycle_kernels_;
    std::vector<ResultsPlan> results_;
    Functions functions_;
    CFiles placed_;
    bool large_ = false; // several files
    /// Operations per cycle that a file takes over from the interpreter.
    struct Benefit {
        std::uint64_t alone = 0;        // without fused steps
        std::uint64_t beside_fused = 0; // of processes without fused steps
        std::uint64_t in_fused = 0;
    };
    std::vector<Benefit> benefits_; // by file
};

} // namespace sme::native
