// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/slots/layout.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// A range of an item, as handed to a thread.
struct Task {
    std::uint32_t item; // in the schedule
    Range range;
    double cost_ns;
    /// In a fixed list: this task and the next ones are whole items up to here, which one call
    /// may run; 0: they are not.
    std::uint32_t fused_end = 0;
};

/// The tasks of each thread, in the order in which it runs them.
using TaskLists = std::vector<std::vector<Task>>;

/// Hands the tasks of one section of the cycle to threads.
///
/// Contract: between two calls of `rewind`, exactly one thread takes each task, however often
/// threads call `take`. Any thread may call `take` with its own number; one thread calls `rewind`
/// while no other calls `take`.
class Queue {
public:
    virtual ~Queue() = default;
    /// Takes the next task for a thread; null when none remain.
    virtual const Task* take(unsigned thread) = 0;
    virtual void rewind() = 0;
    /// Of a fixed list: leaves out the next `tasks` of a thread.
    virtual void skip(unsigned /*thread*/, std::size_t /*tasks*/) {}
};

// fixed_queue and others: one per row of SME_QUEUES, each in queue_NAME.cpp.
#define SME_QUEUE(value, name, text)                                                               \
    std::unique_ptr<Queue> value##_queue(const TaskLists& lists, std::uint64_t grain);
SME_QUEUES(SME_QUEUE)
#undef SME_QUEUE

/// Creates a queue of that kind. `grain`: the number of instances that a thread takes at a time; 0:
/// by their costs.
std::unique_ptr<Queue> make_queue(QueueKind kind, const TaskLists& lists, std::uint64_t grain);

/// The total cost of the tasks of a list.
double cost_of(const std::vector<Task>& list);

/// The part of a task that begins `begin` instances after its first one.
Task part_of(const Task& task, std::uint64_t begin, std::uint64_t count);

/// Cuts a task into pieces of at most `count` instances, and appends them to a list.
void add_pieces(const Task& task, std::uint64_t count, std::vector<Task>& pieces);

} // namespace sme::engine
