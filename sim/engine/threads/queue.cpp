// SPDX-License-Identifier: Apache-2.0
#include "engine/threads/queue.hpp"

#include <algorithm>

namespace sme::engine {

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
