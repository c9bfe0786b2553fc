// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/queue.hpp"

#include <algorithm>
#include <array>

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
    return {task.item, {task.range.first + begin, count}, task.cost_ns * share};
}

void add_pieces(const Task& task, std::uint64_t count, std::vector<Task>& pieces) {
    for (std::uint64_t done = 0; done < task.range.count; done += count)
        pieces.push_back(part_of(task, done, std::min(count, task.range.count - done)));
}

} // namespace sme::engine
