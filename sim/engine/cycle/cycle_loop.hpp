// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "engine/cycle/arenas.hpp"
#include "engine/cycle/reports.hpp"
#include "engine/cycle/schedule.hpp"
#include "engine/placement/plan.hpp"
#include "engine/threads/cycle_sampler.hpp"
#include "engine/threads/team.hpp"
#include "runtime/observer.hpp"
#include "runtime/progress.hpp"
#include "sme/group.hpp"

namespace sme::engine {

/// Runs the items of a schedule, cycle after cycle, on one thread or on several.
///
/// A cycle is a row of sections. Some are parallel: each thread takes tasks until there are none,
/// and all meet at the barrier. The last one to arrive goes on alone, through the serial sections
/// that follow and over the end of the cycle, where it looks at the outside, until the next
/// parallel section is to begin; then it lets the others go. So all threads always agree.
class CycleLoop {
public:
    /// All must outlive it. `leave_unwritten` prepares the outputs of what a fault kept from
    /// running.
    CycleLoop(const Schedule& schedule, Arenas& arenas, Reports& reports,
              const std::atomic<bool>* interrupt,
              std::function<void(const Item&, const Frame&)> leave_unwritten);

    /// Runs at most `cycles` more cycles as a plan says, fewer where threads keep each other
    /// waiting; `team` has as many threads, and may be null for one. Does nothing once the run has
    /// ended. Throws std::bad_alloc when memory was short in a cycle; that one is not whole, and no
    /// other may follow.
    void run(std::uint64_t cycles, const Plan& plan, Team* team, CycleSampler& sampler);
    /// Ends the run as a signal does: no further cycle follows. Call it between cycles.
    void interrupt() {
        if (ending_ == Ending::completed)
            ending_ = Ending::interrupted;
    }

    /// The first cycle to run is another one than 0.
    void begin_at(std::uint64_t cycle) {
        cycle_ = cycle;
        kernel_at_ = cycle + 1;
    }

    /// Gives every cycle to the auditor. Call it before the first cycle only.
    void set_auditor(Auditor* auditor) { auditor_ = auditor; }
    bool is_audited() const { return auditor_ != nullptr; }

    /// Where one thread runs all of some fused items, it does so in one go from now on. Between
    /// cycles only.
    void set_fused(std::vector<FusedItems> fused);
    /// Where as many threads run as one of these is for, they do as many cycles as they can so from
    /// now on. Between cycles only; they must outlive the run.
    void set_cycle_kernels(std::vector<CycleKernel*> kernels) {
        cycle_kernels_ = std::move(kernels);
    }
    /// That for so many threads; null: there is none.
    CycleKernel* cycle_kernel(unsigned threads) const;

    /// Steps the observers for the cycle after the last one.
    void observe();

    std::uint64_t cycle() const { return cycle_; }
    Ending ending() const { return ending_; }
    std::byte* read_arena() const { return bases_.read; }

private:
    /// Where the arenas lie in this cycle.
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
    std::uint32_t run_fused(std::uint32_t item, std::uint32_t end, const Frame& now) const;
    void work(unsigned thread, CycleSampler::Log& log);
    void take_tasks(const Section& section, unsigned thread, CycleSampler::Log& log, Frame& own);
    void advance(CycleSampler::Log* log);
    template <class Work> void guard(Work work);
    void leave_section(const Section& section);
    void end_cycle();

    const Schedule& schedule_;
    Reports& reports_;
    const std::atomic<bool>* interrupt_;
    std::function<void(const Item&, const Frame&)> leave_unwritten_;

    Bases bases_;
    std::ptrdiff_t to_read_; // from an arena to where it is read
    Auditor* auditor_ = nullptr;
    std::vector<FusedItems> fused_;
    std::vector<const FusedItems*> fused_at_; // of each item: those that begin there, or null
    std::vector<CycleKernel*> cycle_kernels_;
    std::uint64_t kernel_at_ =
        1; // the cycle before which none is tried: the first fills both arenas
    std::uint64_t kernel_pause_ = 0; // cycles after one that was not worth it
    std::uint64_t cycle_ = 0;
    Ending ending_ = Ending::completed;
    std::uint32_t last_level_; // later ones do not run: a level faulted
    bool wires_settled_ = true;

    // while it runs
    const Plan* plan_ = nullptr;
    CycleKernel* cycle_kernel_ = nullptr; // for its threads
    std::uint64_t kernel_cycles_ = 0;     // which all threads now run in one go; 0: none
    Barrier* barrier_ = nullptr;
    CycleSampler* sampler_ = nullptr;
    std::uint64_t end_ = 0;   // the cycle before which it stops
    std::size_t section_ = 0; // the one that runs, or is to run next
    bool sampled_ = false;    // this cycle is measured
    bool stop_ = false;
    /// Set by any thread, read by the last one at a barrier, which orders them.
    std::atomic<bool> exhausted_{false}; // a thread had no memory
};

} // namespace sme::engine
