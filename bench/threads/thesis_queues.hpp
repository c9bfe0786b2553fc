// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "../ring/thesis.hpp"

/// The two parallel designs of T. Asheim's thesis, written from its description. Numbers are its
/// sections.
namespace thesis {

/// 2.3: the barrier at the end of a phase. Waiting threads spin.
class SpinBarrier {
public:
    explicit SpinBarrier(unsigned threads) : threads_{threads} {}
    /// Returns when all threads have arrived.
    void arrive();

private:
    static constexpr std::size_t line = 64;
    alignas(line) std::atomic<unsigned> arrived_{0};
    alignas(line) std::atomic<unsigned> meeting_{0};
    alignas(line) const unsigned threads_;
};

/// How processes are assigned to threads.
enum class Queue {
    worker, ///< 2.2.2: one array for all; an atomic counter hands out one process at a time
    locked, ///< the same, but a mutex guards the counter
    fixed,  ///< 2.2.3: an array per thread, filled once, round robin (2.4.3)
};

/// A network that several threads run. Owns neither processes nor buses.
class ParallelNetwork {
public:
    /// `threads` is at least 1 and includes the caller of run().
    ParallelNetwork(unsigned threads, Queue queue);

    void add(Process& process);
    void add(Bus& bus) { buses_.push_back(&bus); }

    /// Runs cycles; calls begin() once all threads have arrived.
    void run(int cycles, const std::function<void()>& begin);

private:
    void work(unsigned thread, int cycles);
    void execute(unsigned thread);
    std::size_t next_locked();
    void propagate(unsigned thread);

    const unsigned threads_;
    const Queue queue_;
    std::vector<std::vector<Process*>> lists_; // one for each thread, or one for all
    std::size_t processes_ = 0;
    std::vector<Bus*> buses_;
    static constexpr std::size_t line = 64;
    alignas(line) std::atomic<std::size_t> next_{0}; // in the worker queue
    std::mutex mutex_;
    SpinBarrier barrier_;
};

} // namespace thesis
