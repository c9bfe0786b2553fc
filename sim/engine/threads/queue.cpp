// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/queue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

namespace sme::engine {

std::unique_ptr<Queue> make_queue(QueueKind kind, const TaskLists& lists, std::uint64_t grain) {
#define SME_QUEUE(value, name, text) &value##_queue,
    constexpr std::array make{SME_QUEUES(SME_QUEUE)};
#undef SME_QUEUE
    return make[static_cast<std::size_t>(kind)](lists, grain);
}

double cost_of(const std::vector<Task>& list) {
    double sum = 0;
    for (const Task& task : list)
        sum += task.cost_ns;
    return sum;
}

Task part_of(const Task& task, std::uint64_t begin, std::uint64_t count) {
    const double share = static_cast<double>(count) / static_cast<double>(task.range.count);
    return {task.item, {task.range.first + begin, count}, task.cost_ns * share, 0};
}

void add_pieces(const Task& task, std::uint64_t count, std::vector<Task>& pieces) {
    for (std::uint64_t done = 0; done < task.range.count; done += count)
        pieces.push_back(part_of(task, done, std::min(count, task.range.count - done)));
}

// One list for all threads and one counter: the worker queue of the thesis.

namespace {

class AtomicQueue final : public Queue {
public:
    explicit AtomicQueue(std::vector<Task> tasks) : tasks_{std::move(tasks)} {}

    const Task* take(unsigned) override {
        // relaxed: tasks do not change; the barrier orders everything else
        const std::size_t mine = next_.fetch_add(1, std::memory_order_relaxed);
        return mine < tasks_.size() ? &tasks_[mine] : nullptr;
    }
    void rewind() override { next_.store(0, std::memory_order_relaxed); }

private:
    std::vector<Task> tasks_;
    alignas(64) std::atomic<std::size_t> next_{0};
};

/// Tasks of `grain` instances; with 0, of a small share of the work, but large enough that the
/// counter is no bottleneck.
TaskLists grains(const TaskLists& lists, std::uint64_t grain) {
    constexpr double share = 32, least_ns = 1000;
    double total = 0;
    for (const std::vector<Task>& list : lists)
        total += cost_of(list);
    const double wanted = std::max(total / (share * static_cast<double>(lists.size())), least_ns);
    TaskLists cut(lists.size());
    for (std::size_t t = 0; t < lists.size(); ++t)
        for (const Task& task : lists[t]) {
            const double parts = std::max(task.cost_ns / wanted, 1.0);
            const auto by_cost =
                static_cast<std::uint64_t>(static_cast<double>(task.range.count) / parts);
            add_pieces(task, grain != 0 ? grain : std::max<std::uint64_t>(by_cost, 1), cut[t]);
        }
    return cut;
}

} // namespace

/// Takes the first task of each thread, then the second of each, so that an order by cost is kept.
std::unique_ptr<Queue> atomic_queue(const TaskLists& lists, std::uint64_t grain) {
    const TaskLists cut = grains(lists, grain);
    std::vector<Task> tasks;
    bool more = true;
    for (std::size_t k = 0; more; ++k) {
        more = false;
        for (const std::vector<Task>& list : cut)
            if (k < list.size()) {
                tasks.push_back(list[k]);
                more = true;
            }
    }
    return std::make_unique<AtomicQueue>(std::move(tasks));
}

// A private list per thread: the static orchestration of the thesis. Threads share nothing.

namespace {

class StaticQueue final : public Queue {
public:
    explicit StaticQueue(const TaskLists& lists) {
        for (const std::vector<Task>& list : lists)
            threads_.push_back({list, 0});
    }

    const Task* take(unsigned thread) override {
        Thread& own = threads_[thread];
        if (own.next < own.tasks.size())
            return &own.tasks[own.next++];
        return nullptr;
    }
    void rewind() override {
        for (Thread& thread : threads_)
            thread.next = 0;
    }
    void skip(unsigned thread, std::size_t tasks) override { threads_[thread].next += tasks; }

private:
    struct alignas(64) Thread { // own cache line
        std::vector<Task> tasks;
        std::size_t next;
    };
    std::vector<Thread> threads_;
};

} // namespace

std::unique_ptr<Queue> fixed_queue(const TaskLists& lists, std::uint64_t) {
    return std::make_unique<StaticQueue>(lists);
}

// One list per thread, whose end lies in a window from which others may take. Each task of a window
// has a bit; the thread that clears it owns the task: one atomic operation, no retry. After Ritson,
// Sampson and Barnes, "Multicore Scheduling for Lightweight Communicating Processes", section 2.2;
// since nothing is enqueued during a cycle, their three algorithms reduce to this one.

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
