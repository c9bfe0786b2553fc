// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "engine/threads/barrier.hpp"

namespace sme::engine {

/// What one meeting of so many threads takes, measured.
double barrier_ns(unsigned threads, Wait wait);

/// Threads that work together; the caller is one of them. Between jobs the others sleep.
class Team {
public:
    /// `threads` counts the caller. Throws std::system_error when there are not that many.
    Team(unsigned threads, Wait wait);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Runs job(number) on every thread, numbers from 0 (the caller) on; returns when all have
    /// returned. A job must not throw.
    void run(const std::function<void(unsigned)>& job);

    unsigned threads() const { return static_cast<unsigned>(others_.size()) + 1; }
    /// Where the threads of a job meet.
    Barrier& barrier() { return barrier_; }

private:
    void serve(unsigned number);
    void decide(std::uint32_t state);

    Barrier barrier_;
    Barrier begin_; // of a job
    Barrier end_;
    const std::function<void(unsigned)>* job_ = nullptr; // null: the threads end
    enum : std::uint32_t { undecided, whole, given_up };
    std::atomic<std::uint32_t> state_{undecided};
    std::vector<std::thread> others_;
};

} // namespace sme::engine
