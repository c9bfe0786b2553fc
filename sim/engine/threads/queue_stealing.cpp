// SPDX-License-Identifier: Apache-2.0
//
// One list per thread, whose end lies in a window from which others may take. Each task of a window
// has a bit; the thread that clears it owns the task: one atomic operation, no retry. After Ritson,
// Sampson and Barnes, "Multicore Scheduling for Lightweight Communicating Processes", section 2.2;
// since nothing is enqueued during a cycle, their three algorithms reduce to this one.
#include <algorithm>
#include <atomic>
#include <bit>

#include "engine/threads/queue.hpp"

namespace sme::engine {

namespace {

constexpr std::size_t window_tasks = 64;

class StealingQueue final : public Queue {
public:
    explicit StealingQueue(const TaskLists& lists) : threads_(lists.size()) {
        for (std::size_t t = 0; t < lists.size(); ++t)
            split(lists[t], threads_[t]);
        rewind();
    }

    const Task* take(unsigned thread) override {
        Thread& own = threads_[thread];
        if (own.next < own.alone.size())
            return &own.alone[own.next++];
        if (const Task* task = claim(own, false))
            return task;
        for (std::size_t k = 1; k < threads_.size(); ++k)
            if (const Task* task = claim(threads_[(thread + k) % threads_.size()], true))
                return task;
        return nullptr;
    }

    void rewind() override {
        for (Thread& thread : threads_) {
            thread.next = 0;
            const std::size_t count = thread.window.size();
            thread.open.store(count == window_tasks ? ~std::uint64_t{0}
                                                    : (std::uint64_t{1} << count) - 1,
                              std::memory_order_relaxed);
        }
    }

private:
    struct alignas(64) Thread {
        std::vector<Task> alone; // read by this thread only
        std::size_t next = 0;
        std::vector<Task> window;
        alignas(64) std::atomic<std::uint64_t> open{0}; // one bit per task in the window
    };

    /// The owner takes from the front and thieves from the back, so that they rarely meet. A try
    /// fails only when another thread cleared the bit, so there are at most as many failures as
    /// bits.
    static const Task* claim(Thread& from, bool back) {
        std::uint64_t open = from.open.load(std::memory_order_relaxed);
        while (open != 0) {
            const auto k =
                static_cast<unsigned>(back ? 63 - std::countl_zero(open) : std::countr_zero(open));
            const std::uint64_t bit = std::uint64_t{1} << k;
            // relaxed: tasks do not change; the barrier orders everything else
            const std::uint64_t before = from.open.fetch_and(~bit, std::memory_order_relaxed);
            if ((before & bit) != 0)
                return &from.window[k];
            open = before & ~bit;
        }
        return nullptr;
    }

    /// Puts the second half of a list into the window, in pieces of about equal cost.
    static void split(const std::vector<Task>& list, Thread& thread) {
        const double total = cost_of(list);
        double before = 0;
        std::vector<Task> rest;
        for (const Task& task : list) {
            const auto count = static_cast<double>(task.range.count);
            const double keep = total / 2 - before; // of this task
            const auto alone = static_cast<std::uint64_t>(
                std::clamp(task.cost_ns > 0 ? keep / task.cost_ns * count : 0, 0.0, count));
            if (alone > 0)
                thread.alone.push_back(part_of(task, 0, alone));
            if (alone < task.range.count)
                rest.push_back(part_of(task, alone, task.range.count - alone));
            before += task.cost_ns;
        }
        fill_window(rest, total / static_cast<double>(window_tasks), thread);
    }

    /// Makes pieces of at most `cost_ns`; if there are too many, the first ones stay outside the
    /// window.
    static void fill_window(const std::vector<Task>& rest, double cost_ns, Thread& thread) {
        std::vector<Task> pieces;
        for (const Task& task : rest) {
            const double share = task.cost_ns > 0 ? cost_ns / task.cost_ns : 1;
            const auto count =
                static_cast<std::uint64_t>(std::clamp(share * static_cast<double>(task.range.count),
                                                      1.0, static_cast<double>(task.range.count)));
            add_pieces(task, count, pieces);
        }
        const std::size_t alone = pieces.size() > window_tasks ? pieces.size() - window_tasks : 0;
        const auto middle = pieces.begin() + static_cast<std::ptrdiff_t>(alone);
        thread.alone.insert(thread.alone.end(), pieces.begin(), middle);
        thread.window.assign(middle, pieces.end());
    }

    std::vector<Thread> threads_;
};

} // namespace

std::unique_ptr<Queue> stealing_queue(const TaskLists& lists, std::uint64_t) {
    return std::make_unique<StealingQueue>(lists);
}

} // namespace sme::engine
