// SPDX-License-Identifier: Apache-2.0
//
// A private list for each thread: the thesis's model of static orchestration. Nothing is shared.
#include "engine/queue.hpp"

namespace sme::engine {

namespace {

class StaticQueue final : public Queue {
public:
    explicit StaticQueue(TaskLists lists) {
        for (std::vector<Task>& list : lists)
            threads_.push_back({std::move(list), 0});
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
    bool is_fixed() const override { return true; }

private:
    struct alignas(64) Thread { // a cache line of its own
        std::vector<Task> tasks;
        std::size_t next;
    };
    std::vector<Thread> threads_;
};

} // namespace

std::unique_ptr<Queue> static_queue(TaskLists lists) {
    return std::make_unique<StaticQueue>(std::move(lists));
}

void add_pieces(const Task& task, std::uint64_t count, std::vector<Task>& pieces) {
    const double each = task.cost_ns / static_cast<double>(task.range.count);
    for (std::uint64_t done = 0; done < task.range.count; done += count) {
        const std::uint64_t here = std::min(count, task.range.count - done);
        pieces.push_back(
            {task.item, {task.range.first + done, here}, each * static_cast<double>(here)});
    }
}

} // namespace sme::engine
