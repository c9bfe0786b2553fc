// SPDX-License-Identifier: Apache-2.0
//
// A private list per thread: the static orchestration of the thesis. Threads share nothing.
#include "engine/threads/queue.hpp"

namespace sme::engine {

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

} // namespace sme::engine
