// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "engine/cycle/activity.hpp"
#include "engine/placement/plan.hpp"
#include "engine/ranks/cycle_log.hpp"
#include "engine/ranks/rank_exchange.hpp"
#include "engine/slots/arenas.hpp"
#include "engine/slots/layout.hpp"
#include "engine/slots/reports.hpp"
#include "engine/threads/cycle_sampler.hpp"
#include "engine/threads/team.hpp"
#include "runtime/observer.hpp"
#include "sme/internal/group.hpp"

namespace sme::engine {

/// Runs the items of a schedule, cycle after cycle, on one thread or several.
///
/// A cycle is a sequence of sections. In a parallel section each thread takes tasks until none
/// remain, and all meet at the barrier. The last thread to arrive continues alone: it runs the
/// serial sections that follow and ends the cycle, where it tests the stop conditions. It releases
/// the others when the next parallel section begins. All threads therefore see the same decisions.
class CycleLoop {
public:
    /// All arguments must outlive the loop. `leave_unwritten` prepares the outputs of items that a
    /// fault kept from running; `lose_wires` notes that steps after this level do not run in a
    /// cycle.
    CycleLoop(const Schedule& schedule, Arenas& arenas, Reports& reports,
              const std::atomic<bool>* interrupt,
              std::function<void(const Item&, const Frame&)> leave_unwritten,
              std::function<void(std::uint32_t level)> lose_wires);

    /// Runs at most `cycles` more cycles according to a plan, fewer when threads keep each other
    /// waiting. `team` has as many threads as the plan, and may be null for one thread. Does
    /// nothing once the run has ended. Throws std::bad_alloc when memory runs out in a cycle; that
    /// cycle is incomplete, and the run cannot continue.
    void run(std::uint64_t cycles, const Plan& plan, Team* team, CycleSampler& sampler);
    /// Ends the run as a signal does: no further cycle follows. Call it between cycles.
    void interrupt() {
        if (ending_ == RunEnd::completed)
            ending_ = RunEnd::stopped;
    }

    /// From now on, exchanges slots with other ranks in each cycle. Call it before the first cycle
    /// only.
    void set_ranks(RankExchange* ranks) { ranks_ = ranks; }
    /// From now on, no cycle runs observers: it notes what they read, for `step_observers`. Call
    /// it before the first cycle only.
    void set_log(CycleLog* log) { log_ = log; }
    /// Runs cycles again, after their state was restored: without observers, and of cycle `last`
    /// only the levels up to `last_level`.
    struct Replay {
        std::uint64_t last;
        std::uint32_t last_level;
    };
    void set_replay(std::optional<Replay> replay) {
        replay_ = replay;
        ending_ = RunEnd::completed;
        wires_settled_ = true;
    }
    /// The first level that faulted in the last cycle, or no_fault_level.
    std::uint32_t fault_level() const {
        return last_level_ < schedule_.levels ? last_level_ : no_fault_level;
    }
    /// True if this rank ended only because others did.
    bool is_cut_off() const { return cut_off_; }
    void set_ending(RunEnd ending) { ending_ = ending; }

    /// Sets the first cycle to run; 0 by default.
    void begin_at(std::uint64_t cycle) {
        cycle_ = cycle;
        kernel_at_ = cycle + 1;
    }

    /// Passes every cycle to the auditor. Call it before the first cycle only.
    void set_auditor(Auditor* auditor) { auditor_ = auditor; }
    bool is_audited() const { return auditor_ != nullptr; }

    /// From now on, runs fused items in one call wherever one thread runs all of them. Call it
    /// between cycles only.
    void set_fused(std::vector<FusedItems> fused);
    const std::vector<FusedItems>& fused() const { return fused_; }
    /// From now on, runs as many cycles as possible in the kernel for the current number of
    /// threads, if there is one. Call it between cycles only; the kernels must outlive the run.
    void set_cycle_kernels(std::vector<CycleKernel*> kernels) {
        cycle_kernels_ = std::move(kernels);
    }
    /// The kernel for this thread count, or null.
    CycleKernel* cycle_kernel(unsigned threads) const;

    /// `activity` knows the items of the schedule, and must outlive the run. Call it before the
    /// first cycle only.
    void set_activity(Activity* activity) { activity_ = activity; }
    /// Call it when anything but a step has changed a slot or a memory.
    void disturb() { fresh_ = true; }
    bool can_skip() const { return activity_ != nullptr; }
    /// From now on, leaves out idle instances, and runs neither them nor whole cycles in one call.
    /// Call it between cycles only.
    void set_skipping(bool skips) { skips_ = skips && can_skip(); }
    bool skips() const { return skips_; }

    /// Steps these items ahead of the next cycle, which steps them again; what they report is
    /// dropped. Call it between cycles only.
    void settle(const std::vector<std::uint32_t>& items);
    /// Lets these models look or, with `edge`, run a rising edge under reset; what they report is
    /// dropped. Call it between cycles only.
    void call(const std::vector<ModelGroup*>& models, bool edge);
    std::byte* write_arena() const { return bases_.write; }
    /// Steps the observers for the cycle after the last one.
    void observe();
    /// Steps the observers. Returns the first level that faulted, or no_fault_level.
    std::uint32_t step_observers(Frame now) const;

    std::uint64_t cycle() const { return cycle_; }
    RunEnd ending() const { return ending_; }
    std::byte* read_arena() const { return bases_.read; }

private:
    /// The addresses of the arenas in this cycle.
    struct Bases {
        std::byte* read;
        std::byte* write;
    };

    Frame frame() const;
    void run_item(const Item& item, Range range, Frame& frame) const;
    void run_serial(const Section& section, CycleSampler::Log* log);
    template <class End> void go_on(End end, CycleSampler::Log& log);
    void begin_cycle_kernel();
    void note_kernel_cycles(std::uint64_t done);
    void end_cycle_kernel(std::uint64_t done);
    std::uint32_t run_fused(std::uint32_t item, std::uint32_t end, const Frame& now,
                            CycleSampler::Log* log) const;
    std::uint32_t run_fused(const FusedItems& items, const Frame& now,
                            CycleSampler::Log* log) const;
    const FusedItems* fused_at(std::uint32_t item, bool measured) const;
    void work(unsigned thread, CycleSampler::Log& log);
    void take_tasks(const Section& section, unsigned thread, CycleSampler::Log& log, Frame& own);
    bool run_fused(const Task& task, Queue& queue, Frame& own, CycleSampler::Log* log) const;
    void advance(CycleSampler::Log* log);
    template <class Work> void guard(Work work);
    void leave_section(const Section& section);
    void end_after(std::uint32_t level);
    void end_cycle();
    void exchange();
    std::uint32_t first_last_level() const {
        return replay_ && cycle_ == replay_->last ? std::min(replay_->last_level, schedule_.levels)
                                                  : schedule_.levels;
    }

    const Schedule& schedule_;
    const Arenas& arenas_;
    Reports& reports_;
    const std::atomic<bool>* interrupt_;
    std::function<void(const Item&, const Frame&)> leave_unwritten_;
    std::function<void(std::uint32_t level)> lose_wires_;

    Bases bases_;
    std::ptrdiff_t to_read_; // from an arena to its read-only mapping
    Auditor* auditor_ = nullptr;
    Activity* activity_ = nullptr;
    bool skips_ = false;
    bool fresh_ = true; // something else than a step changed slots before this cycle
    std::vector<FusedItems> fused_;
    std::vector<const FusedItems*> fused_at_; // by item: the fused items that begin there, or null
    std::vector<const FusedItems*> fused_beside_; // the same, while idle instances are left out
    std::vector<bool> measured_together_;         // by first item
    std::vector<CycleKernel*> cycle_kernels_;
    std::uint64_t kernel_at_ =
        1; // no kernel runs before this cycle: the first cycle fills both arenas
    std::uint64_t kernel_pause_ = 0; // cycles to wait after an attempt that did not pay
    std::uint64_t cycle_ = 0;
    RunEnd ending_ = RunEnd::completed;
    std::uint32_t last_level_; // later levels do not run: this one faulted
    bool wires_settled_ = true;

    RankExchange* ranks_ = nullptr; // null: there are no other ranks
    CycleLog* log_ = nullptr;       // null: each cycle runs the observers
    bool exchanged_ = false;        // in this cycle
    bool others_ended_ = false;     // a neighbour ended in this cycle or before it
    bool cut_off_ = false;
    std::optional<Replay> replay_;

    // only during `run`
    const Plan* plan_ = nullptr;
    CycleKernel* cycle_kernel_ = nullptr; // for the plan's thread count
    std::uint64_t kernel_cycles_ = 0;     // that all threads now run in one call, or 0
    Barrier* barrier_ = nullptr;
    CycleSampler* sampler_ = nullptr;
    std::uint64_t end_ = 0;   // the run stops before this cycle
    std::size_t section_ = 0; // the running section, or the next one
    bool sampled_ = false;    // this cycle is measured
    bool stop_ = false;
    /// Set by any thread, read by the last one at a barrier, which orders the accesses.
    std::atomic<bool> exhausted_{false}; // a thread ran out of memory
};

} // namespace sme::engine
