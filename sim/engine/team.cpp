// SPDX-License-Identifier: Apache-2.0
#include "engine/team.hpp"

namespace sme::engine {

namespace {

/// Who waits for a job may wait long.
Wait between_jobs(Wait wait) {
    return wait == Wait::spin ? Wait::automatic : wait;
}

} // namespace

Team::Team(unsigned threads, Wait wait)
    : barrier_{threads, wait, threads > usable_cpus()}, begin_{threads, between_jobs(wait),
                                                               threads > usable_cpus()},
      end_{threads, between_jobs(wait), threads > usable_cpus()} {
    try {
        for (unsigned number = 1; number < threads; ++number)
            others_.emplace_back([this, number] { serve(number); });
    } catch (...) {
        decide(given_up);
        for (std::thread& other : others_)
            other.join();
        throw;
    }
    decide(whole);
}

/// Threads that have started wait until it is known whether all could.
void Team::decide(std::uint32_t state) {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
}

Team::~Team() {
    job_ = nullptr;
    begin_.arrive([] {});
    for (std::thread& other : others_)
        other.join();
}

void Team::run(const std::function<void(unsigned)>& job) {
    job_ = &job;
    begin_.arrive([] {});
    job(0);
    end_.arrive([] {});
}

void Team::serve(unsigned number) {
    state_.wait(undecided, std::memory_order_acquire);
    if (state_.load(std::memory_order_relaxed) == given_up)
        return;
    for (;;) {
        begin_.arrive([] {});
        if (!job_)
            return;
        (*job_)(number);
        end_.arrive([] {});
    }
}

} // namespace sme::engine
