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

/// The runners of a run. Runners 0 to thieves() − 1 steal from each other; each of the others
/// serves one process.
class Team {
public:
    /// `own`: runners for one process each, in addition to the common ones.
    Team(Made& made, DeadlockSearch& search, std::uint32_t thieves, std::uint32_t own,
         std::uint64_t seed);

    Runner& runner(std::uint32_t number) { return *runners_[number]; }
    std::uint32_t thieves() const { return thieves_; }
    /// True if there are runners that serve one process.
    bool has_own() const { return runners_.size() > thieves_; }

    /// Runs until no process can continue, or one has failed; runner 0 uses this thread. Rethrows
    /// the exception of a process.
    void run();

    // ---- for runners

    bool stopped() const { return stopped_.load(std::memory_order_acquire); }
    /// Sleeps until there may be work. False when the run has ended. `searched`: how many wake-ups
    /// there had been when it searched for deadlocks.
    bool wait_for_work(Runner& runner, std::uint64_t searched = ~std::uint64_t{0});
    /// `searches`: the runner is to look for others' work.
    void wake(Runner& runner, bool searches = false);
    bool has_idle_thief() const {
        return thieves_ > 1 && idle_.load(std::memory_order_seq_cst) != 0 &&
               searching_.load(std::memory_order_relaxed) == 0;
    }
    void wake_thief();
    /// So many more wake-ups are to come from outside the team: then an idle team is no deadlock.
    void expect(int change) { expected_.fetch_add(change, std::memory_order_seq_cst); }
    /// True if some runner has no work.
    bool lacks_work() const {
        return hungry_.load(std::memory_order_relaxed) != 0 ||
               idle_.load(std::memory_order_relaxed) != 0;
    }
    /// 1 when a thief begins to search, -1 when it ends.
    void looks_around(int change) { hungry_.fetch_add(change, std::memory_order_relaxed); }
    bool may_spin() const { return may_spin_; }
    /// Searches for deadlocks beside other work, so rarely that the cost is negligible.
    void search_sometimes(Runner& runner, std::uint64_t dispatched);

    void fail(const internal::ProcessDescriptor& process, const std::exception_ptr& exception);
    /// Destroys a process that was made and has returned.
    void bury(const internal::ProcessDescriptor& process) { made_.remove(process); }
    [[noreturn]] void fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                            const char* what) const;

private:
    void run(Runner& runner);
    bool holds_work() const; ///< true if a batch could be stolen
    void fail(std::exception_ptr exception);
    void stop();

    Made& made_;
    DeadlockSearch& search_;
    std::vector<std::unique_ptr<Runner>> runners_;
    std::uint32_t thieves_;
    bool may_spin_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::uint64_t> next_search_;
    std::mutex mutex_;                   ///< guards the members below, and which runners sleep
    std::atomic<std::uint32_t> idle_{0}; ///< runners that sleep; a hint outside the mutex
    std::uint64_t wakes_ = 0;
    std::atomic<std::uint32_t> searching_{0};
    std::atomic<int> hungry_{0}; ///< searching thieves; a hint
    std::atomic<int> expected_{0};
    std::exception_ptr failure_;
};

} // namespace sme::kahn
