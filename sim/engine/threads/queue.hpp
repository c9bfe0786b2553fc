// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cycle/schedule.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// A range of an item, as it is handed to a thread.
struct Task {
    std::uint32_t item; // in the schedule
    Range range;
    double cost_ns;
};

/// For each thread its tasks, in the order in which it runs them.
using TaskLists = std::vector<std::vector<Task>>;

/// Hands the tasks of one section of the cycle to threads.
///
/// Contract: between two calls of `rewind`, exactly one thread takes each task, however often
/// threads call `take`. Any thread may call `take` with its own number; one thread calls `rewind`
/// while no other calls `take`.
class Queue {
public:
    virtual ~Queue() = default;
    /// The next task for a thread, or null when there is none for it any more.
    virtual const Task* take(unsigned thread) = 0;
    virtual void rewind() = 0;
};

// fixed_queue, ...: one for each row of SME_QUEUES, each in queue_NAME.cpp.
#define SME_QUEUE(value, name, text)                                                               \
    std::unique_ptr<Queue> value##_queue(const TaskLists& lists, std::uint64_t grain);
SME_QUEUES(SME_QUEUE)
#undef SME_QUEUE

/// A queue of that kind. `grain`: how many instances a thread takes at a time; 0: by their costs.
std::unique_ptr<Queue> make_queue(QueueKind kind, const TaskLists& lists, std::uint64_t grain);

/// What all tasks of a list cost.
double cost_of(const std::vector<Task>& list);

/// The part of a task that begins `begin` instances behind its first one.
Task part_of(const Task& task, std::uint64_t begin, std::uint64_t count);

/// A task cut into pieces of at most `count` instances, added to a list.
void add_pieces(const Task& task, std::uint64_t count, std::vector<Task>& pieces);

} // namespace sme::engine
