// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/barrier.hpp"

#include <sched.h>

#include "runtime/clock.hpp"
#include "runtime/relax.hpp"

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

} // namespace sme::engine
