// SPDX-License-Identifier: Apache-2.0
//
// One list for all threads and one counter: the worker queue of the thesis.
#include <algorithm>
#include <atomic>

#include "engine/threads/queue.hpp"

namespace sme::engine {

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

} // namespace sme::engine
