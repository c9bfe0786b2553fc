// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "kahn/deadlock.hpp"
#include "kahn/graph.hpp"
#include "kahn/runner.hpp"
#include "sme/untimed.hpp"

namespace sme::kahn {

/// The runners of a run. Runners 0 to thieves() − 1 steal from each other; the others are for one
/// process each.
class Team {
public:
    /// `own` runners for one process each, beside the common ones.
    Team(const KahnGraph& graph, DeadlockSearch& search, std::uint32_t thieves, std::uint32_t own,
         std::uint64_t seed);

    Runner& runner(std::uint32_t number) { return *runners_[number]; }
    std::uint32_t thieves() const { return thieves_; }

    /// Runs until no process can go on, or one has failed; runner 0 on this thread. Throws what a
    /// process threw.
    void run();

    // ---- for runners

    bool stopped() const { return stopped_.load(std::memory_order_acquire); }
    /// Sleeps until there may be work. False when the run has ended.
    bool wait_for_work(Runner& runner);
    /// `searches`: it is to look for work of others.
    void wake(Runner& runner, bool searches = false);
    bool has_idle_thief() const {
        return thieves_ > 1 && idle_.load(std::memory_order_seq_cst) != 0 &&
               searching_.load(std::memory_order_relaxed) == 0;
    }
    void wake_thief();
    /// Some runner has no work.
    bool lacks_work() const {
        return hungry_.load(std::memory_order_relaxed) != 0 ||
               idle_.load(std::memory_order_relaxed) != 0;
    }
    /// A thief begins to look around: 1. It ends: -1.
    void looks_around(int change) { hungry_.fetch_add(change, std::memory_order_relaxed); }
    bool may_spin() const { return may_spin_; }
    /// Looks for deadlocks beside other work, so seldom that it costs nothing.
    void search_sometimes(Runner& runner, std::uint64_t dispatched);

    void fail(const detail::ProcessDescriptor& process, const std::exception_ptr& exception);
    [[noreturn]] void fault(const detail::ProcessDescriptor& process, std::uint64_t channel,
                            const char* what) const;

private:
    void run(Runner& runner);
    bool holds_work() const; ///< some batch could be stolen
    void fail(std::exception_ptr exception);
    void stop();

    const KahnGraph& graph_;
    DeadlockSearch& search_;
    std::vector<std::unique_ptr<Runner>> runners_;
    std::uint32_t thieves_;
    bool may_spin_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> next_search_;
    std::mutex mutex_;                   ///< guards what follows, and who sleeps
    std::atomic<std::uint32_t> idle_{0}; ///< runners that sleep; a hint outside the mutex
    std::atomic<std::uint32_t> searching_{0};
    std::atomic<int> hungry_{0}; ///< thieves that look around; a hint
    std::exception_ptr failure_;
};

} // namespace sme::kahn
