// SPDX-License-Identifier: Apache-2.0
//
// One list for all threads and one counter: the thesis's model of a worker queue.
#include <atomic>

#include "engine/threads/queue.hpp"

namespace sme::engine {

namespace {

class AtomicQueue final : public Queue {
public:
    explicit AtomicQueue(std::vector<Task> tasks) : tasks_{std::move(tasks)} {}

    const Task* take(unsigned) override {
        // relaxed: the tasks themselves do not change; the barrier orders all else
        const std::size_t mine = next_.fetch_add(1, std::memory_order_relaxed);
        return mine < tasks_.size() ? &tasks_[mine] : nullptr;
    }
    void rewind() override { next_.store(0, std::memory_order_relaxed); }

private:
    std::vector<Task> tasks_;
    alignas(64) std::atomic<std::size_t> next_{0};
};

} // namespace

/// The first task of each thread, then the second of each, so that an order by cost stays one.
std::unique_ptr<Queue> atomic_queue(const TaskLists& lists) {
    std::vector<Task> tasks;
    bool more = true;
    for (std::size_t k = 0; more; ++k) {
        more = false;
        for (const std::vector<Task>& list : lists)
            if (k < list.size()) {
                tasks.push_back(list[k]);
                more = true;
            }
    }
    return std::make_unique<AtomicQueue>(std::move(tasks));
}

} // namespace sme::engine
