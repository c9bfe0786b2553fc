// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "kahn/semaphore.hpp"
#include "kahn/storage.hpp"
#include "sme/internal/kahn_host.hpp"

namespace sme::kahn {

class Team;

/// A thread that runs processes: a logical processor of the paper. Only `post`, `holds_work`,
/// `sleeping` and `wake_up` may be used by other threads.
class Runner final : public internal::ReadyQueue {
public:
    /// `thief`: it steals, and others steal from it. `seed`: of its random numbers.
    Runner(Team& team, std::uint32_t number, bool thief, std::uint64_t seed);

    /// Runs processes until the run ends.
    void run();

    /// Before the run: adds a process that starts here.
    void add(internal::ProcessDescriptor& process);

    /// Makes a process ready, as a wake-up by this thread does.
    void resume(internal::ProcessDescriptor& process) { ready(process); }

    /// Gives a process to this runner. Any thread may call it.
    void post(internal::ProcessDescriptor& process);
    bool holds_work() const { return batches_.holds_work(); }
    bool has_post() const { return inbox_.load(std::memory_order_seq_cst) != nullptr; }
    bool is_thief() const { return thief_; }
    /// True for the first few unsuccessful tests before it sleeps: a window may hold a batch that
    /// it does not show, when a thief took the previous one from the same place.
    bool may_look_again() { return ++looks_ <= looks_max; }
    std::uint32_t number() const { return number_; }

    /// 1 while it sleeps. The thread that sets it to 0, under the mutex of the team, posts
    /// `wake_up`.
    std::atomic<std::uint32_t> sleeping{0};
    Semaphore wake_up;

    void start(internal::ProcessDescriptor& process) override;
    void ready_all(const std::vector<internal::ProcessDescriptor*>& processes) override;
    void end(internal::ProcessDescriptor& process) override;
    [[noreturn]] void fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                            const char* what) const override;

protected:
    void place(internal::ProcessDescriptor& process) override;

private:
    void enqueue(internal::ProcessDescriptor& process);
    bool load_batch();
    void activate(const Batch& batch);
    void offer_rest(std::uint32_t rest);
    /// True if dispatches take so long that the waiting processes are worth their own processor.
    bool computes_long() const { return dispatches_in_time_ < 8; }
    void end_batch();
    void begin_time();
    void store_batch();
    std::uint32_t store_half(std::uint32_t left);
    void offer_work();
    std::uint32_t size() const; ///< of the active queue
    void take_post();
    void take_urgent();
    bool steal();
    bool steal_patiently();
    std::uint64_t random();
    void bury();

    static constexpr std::uint32_t looks_max = 64;
    static constexpr std::uint32_t dispatches_max = 127;
    static constexpr std::uint32_t dispatches_per_process = 8;
    static constexpr std::uint32_t worth_halving = 8;

    Team& team_;
    std::uint32_t number_;
    bool thief_;
    bool pinned_ = false; ///< a process of the active queue may run here only
    std::uint64_t seed_;
    std::uint64_t random_;
    std::uint32_t looks_ = 0;  ///< since it last had a batch
    std::uint32_t budget_ = 0; ///< dispatches of the running batch
    std::uint64_t dispatched_ = 0;
    std::int64_t dispatch_ns_ = 0;        ///< time of a recent long dispatch
    std::uint32_t dispatches_in_time_;    ///< how many fit into the time of a batch
    std::uint64_t dispatched_before_ = 0; ///< until `time_before_`
    std::chrono::steady_clock::time_point time_before_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point woke_at_{}; ///< last wake-up of a thief
    internal::ProcessDescriptor* urgent_ = nullptr;   ///< of high priority, in order
    internal::ProcessDescriptor* urgent_last_ = nullptr;
    internal::ProcessDescriptor* dead_ =
        nullptr; ///< was made and has returned, as the last of them
    BatchQueue batches_;
    alignas(64) std::atomic<internal::ProcessDescriptor*> inbox_{nullptr};
};

} // namespace sme::kahn
