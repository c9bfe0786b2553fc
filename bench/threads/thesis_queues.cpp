// SPDX-License-Identifier: Apache-2.0

// A separate file, as in the library that the thesis describes: `step` stays a virtual call.

#include "thesis_queues.hpp"

#include <thread>

namespace thesis {

namespace {

/// Tells the processor that this thread is only waiting.
void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

void SpinBarrier::arrive() {
    // relaxed: no thread changes it before this thread has arrived
    const unsigned meeting = meeting_.load(std::memory_order_relaxed);
    // acq_rel: the last thread sees the work of all others
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
        arrived_.store(0, std::memory_order_relaxed);
        meeting_.store(meeting + 1, std::memory_order_release); // pairs with the load below
        return;
    }
    while (meeting_.load(std::memory_order_acquire) == meeting)
        relax();
}

ParallelNetwork::ParallelNetwork(unsigned threads, Queue queue)
    : threads_{threads}, queue_{queue},
      lists_(queue == Queue::fixed ? threads : 1), barrier_{threads} {}

void ParallelNetwork::add(Process& process) {
    lists_[processes_++ % lists_.size()].push_back(&process);
}

void ParallelNetwork::execute(unsigned thread) {
    if (queue_ == Queue::fixed) {
        for (Process* process : lists_[thread])
            process->step();
        return;
    }
    if (queue_ == Queue::locked) {
        for (std::size_t k; (k = next_locked()) < processes_;)
            lists_[0][k]->step();
        return;
    }
    // relaxed: the barrier orders the work of processes; this only hands them out
    for (std::size_t k; (k = next_.fetch_add(1, std::memory_order_relaxed)) < processes_;)
        lists_[0][k]->step();
}

std::size_t ParallelNetwork::next_locked() {
    const std::lock_guard lock{mutex_};
    const std::size_t k = next_.load(std::memory_order_relaxed);
    next_.store(k + 1, std::memory_order_relaxed);
    return k;
}

/// The buses of one thread: adjacent ones, so that threads rarely share a cache line.
void ParallelNetwork::propagate(unsigned thread) {
    const std::size_t end = buses_.size() * (thread + 1) / threads_;
    for (std::size_t k = buses_.size() * thread / threads_; k < end; ++k)
        buses_[k]->sync();
}

void ParallelNetwork::work(unsigned thread, int cycles) {
    for (int cycle = 0; cycle < cycles; ++cycle) {
        // 1. Execution: every process once.
        execute(thread);
        barrier_.arrive();
        // 2. Propagation: every bus once; no thread takes from the queue meanwhile.
        if (thread == 0)
            next_.store(0, std::memory_order_relaxed);
        propagate(thread);
        barrier_.arrive();
    }
}

void ParallelNetwork::run(int cycles, const std::function<void()>& begin) {
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread < threads_; ++thread)
        others.emplace_back([this, thread, cycles] {
            barrier_.arrive();
            work(thread, cycles);
        });
    barrier_.arrive();
    begin();
    work(0, cycles);
    for (std::thread& other : others)
        other.join();
}

} // namespace thesis
