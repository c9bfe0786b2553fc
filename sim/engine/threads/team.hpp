// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "engine/threads/barrier.hpp"

namespace sme::engine {

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
