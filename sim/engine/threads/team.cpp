// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/team.hpp"

#include <algorithm>

#include "engine/threads/machine.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

namespace {

/// A thread may wait long for a job.
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
            others_.emplace_back([this, number, cpu = current_cpu()] {
                move_away_from(cpu, number);
                serve(number);
            });
    } catch (...) {
        decide(given_up);
        for (std::thread& other : others_)
            other.join();
        throw;
    }
    decide(whole);
}

/// Started threads wait until it is known whether all could start.
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

double barrier_ns(unsigned threads, Wait wait) {
    constexpr unsigned meetings = 2000, rounds = 9;
    Team team{threads, wait};
    std::vector<double> each;
    for (unsigned round = 0; round < rounds; ++round) {
        const std::uint64_t begin = now_ns();
        team.run([&](unsigned) {
            for (unsigned k = 0; k < meetings; ++k)
                team.barrier().arrive([] {});
        });
        each.push_back(static_cast<double>(now_ns() - begin) / meetings);
    }
    std::sort(each.begin(), each.end());
    return each[rounds / 2];
}

} // namespace sme::engine
