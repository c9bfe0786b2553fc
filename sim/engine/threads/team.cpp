// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/team.hpp"

#include <algorithm>
#include <cmath>

#include <sched.h>

#include "engine/threads/cpus.hpp"
#include "runtime/clock.hpp"

namespace sme::engine {

namespace {

/// How long `auto` spins: a few times as long as waking a sleeping thread takes.
constexpr std::uint64_t spin_ns = 50'000;
/// How long a thread spins before it yields the CPU to others.
constexpr std::uint64_t alone_ns = 5'000;
/// How many times a waiting loop tests before it reads the clock.
constexpr unsigned looks = 64;

} // namespace

Barrier::Barrier(unsigned threads, Wait wait, bool crowded)
    : threads_{threads}, wait_{wait}, crowded_{crowded} {}

void Barrier::wait(std::uint32_t meeting) {
    if (wait_ == Wait::block || (wait_ == Wait::automatic && crowded_))
        return sleep(meeting);
    const std::uint64_t begin = now_ns();
    for (;;) {
        for (unsigned k = 0; k < looks; ++k) {
            if (changed(meeting))
                return;
            relax();
        }
        const std::uint64_t waited = now_ns() - begin;
        if (wait_ == Wait::automatic && waited > spin_ns)
            return sleep(meeting);
        if (crowded_ || waited > alone_ns)
            ::sched_yield(); // the thread it waits for may need this CPU
    }
}

/// A sleeper increments the count before it tests again, and the last thread to arrive reads the
/// count after it has changed the number: one of the two sees the other.
void Barrier::sleep(std::uint32_t meeting) {
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    while (!changed(meeting))
        meeting_.wait(meeting, std::memory_order_acquire);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

double clock_cost_ns() {
    static const double cost = [] {
        constexpr unsigned batches = 32, looks = 16;
        std::uint64_t least = ~std::uint64_t{0}; // of a batch that was not disturbed
        for (unsigned batch = 0; batch < batches; ++batch) {
            const std::uint64_t begin = now_ns();
            std::uint64_t end = begin;
            for (unsigned k = 0; k < looks; ++k)
                end = now_ns();
            least = std::min(least, end - begin);
        }
        return std::max(static_cast<double>(least) / looks, 1.0);
    }();
    return cost;
}

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
