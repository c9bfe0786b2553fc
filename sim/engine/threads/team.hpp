// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "sme/threads.hpp"

namespace sme::engine {

/// The meeting point of all threads of a team. The last one to arrive does the serial work; then
/// all continue. All earlier writes are visible to all threads after the barrier.
///
/// The number of the meeting is the sense: a thread waits until it changes.
class Barrier {
public:
    /// When threads outnumber the CPUs, they spin only briefly: a spinning thread keeps a CPU from
    /// a working one.
    Barrier(unsigned threads, Wait wait, bool crowded);

    /// Waits for all threads; the last one to arrive calls last() first.
    template <class Last> void arrive(Last last) {
        // relaxed: it changes only after this thread has arrived
        const std::uint32_t meeting = meeting_.load(std::memory_order_relaxed);
        // acq_rel: the last thread sees all earlier writes of the others
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != threads_)
            return wait(meeting);
        arrived_.store(0, std::memory_order_relaxed);
        last();
        // seq_cst: orders this store before the read of the sleepers; see sleep()
        meeting_.store(meeting + 1, std::memory_order_seq_cst);
        if (sleepers_.load(std::memory_order_seq_cst) != 0)
            meeting_.notify_all();
    }

private:
    void wait(std::uint32_t meeting);
    void sleep(std::uint32_t meeting);
    bool changed(std::uint32_t meeting) const {
        // acquire: the writes of the last thread are visible
        return meeting_.load(std::memory_order_acquire) != meeting;
    }

    static constexpr std::size_t line = 64;
    alignas(line) std::atomic<std::uint32_t> arrived_{0};
    alignas(line) std::atomic<std::uint32_t> meeting_{0};
    std::atomic<std::uint32_t> sleepers_{0};
    alignas(line) const unsigned threads_;
    const Wait wait_;
    const bool crowded_;
};

/// The time of one clock read, measured once.
double clock_cost_ns();

/// The measured time of one meeting of this many threads.
double barrier_ns(unsigned threads, Wait wait);

/// A team of threads, including the caller. Between jobs the others sleep.
class Team {
public:
    /// `threads` counts the caller. Throws std::system_error when the system cannot start that
    /// many.
    Team(unsigned threads, Wait wait);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Runs job(number) on every thread, numbered from 0 (the caller); returns when all have
    /// returned. A job must not throw.
    void run(const std::function<void(unsigned)>& job);

    unsigned threads() const { return static_cast<unsigned>(others_.size()) + 1; }
    /// The barrier for the threads of a job.
    Barrier& barrier() { return barrier_; }

private:
    void serve(unsigned number);
    void decide(std::uint32_t state);

    Barrier barrier_;
    Barrier begin_; // the start of a job
    Barrier end_;
    const std::function<void(unsigned)>* job_ = nullptr; // null: the threads end
    enum : std::uint32_t { undecided, whole, given_up };
    std::atomic<std::uint32_t> state_{undecided};
    std::vector<std::thread> others_;
};

} // namespace sme::engine
