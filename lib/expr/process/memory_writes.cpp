// SPDX-License-Identifier: Apache-2.0
//
// The memory writes of a step. Lines that write many words are a loop whose step writes one word;
// lines over ranges of one shape share the step, so conflicts between their writes are found as
// usual.
#include <algorithm>

#include "expr/process/step_lowering.hpp"

namespace sme::expr {

void StepLowering::note_applied(const TargetKey& key) {
    if (!key.is_memory)
        return;
    const std::uint64_t now = applications_++;
    const auto [found, fresh] = applied_.try_emplace({key.place, key.word}, Applied{now, now});
    found->second.last = now;
}

MemoryWrite StepLowering::memory_write(const TargetKey& key, const Assigned& assigned,
                                       NodeId reset) const {
    const NodeId enable = reset == no_node ? assigned.written
                                           : b_.operation(Op::logical_and, {1, false},
                                                          b_.logical_not(reset), assigned.written);
    return {key.place, enable, key.word, leaf_at(*memories_.at(key.place)->type, key.leaf).offset,
            assigned.value};
}

StepLowering::MemoryWrites StepLowering::memory_writes(NodeId reset) {
    MemoryWrites result;
    struct Looped {
        NodeId word;
        std::uint64_t first;
        LoopRoot root;
    };
    std::vector<Looped> loops;
    const auto writes = [&](const auto& each) {
        return each.first.is_memory && b_.constant_value(each.second.written) != std::uint64_t{0};
    };
    for (const auto& each : targets_) {
        const TargetKey& key = each.first;
        if (!writes(each) || !is_loop(key))
            continue;
        const std::uint64_t first = applied_.at({key.place, key.word}).first;
        auto found = std::find_if(loops.begin(), loops.end(), [&](const Looped& loop) {
            return loop.word == key.word && loop.root.memory_writes[0].memory == key.place;
        });
        if (found == loops.end()) {
            const NodeId step = b_.free_in(key.word).at(0);
            const NodeId loop = b_.loop({b_.steps_of(step), step, {}, loop_sites_.at(step)});
            found = loops.insert(loops.end(), {key.word, first, {loop, {}, {}}});
        }
        found->first = std::min(found->first, first);
        found->root.memory_writes.push_back(memory_write(key, each.second, reset));
    }
    std::sort(loops.begin(), loops.end(),
              [](const Looped& a, const Looped& b) { return a.first < b.first; });
    for (const auto& each : targets_) {
        const TargetKey& key = each.first;
        if (!writes(each) || is_loop(key))
            continue;
        MemoryWrite write = memory_write(key, each.second, reset);
        const std::uint64_t last = applied_.at({key.place, key.word}).last;
        const auto over = std::find_if(loops.begin(), loops.end(), [&](const Looped& loop) {
            return loop.root.memory_writes[0].memory == key.place && last < loop.first &&
                   words_.meet(key.word, loop.word) == true;
        });
        if (over == loops.end()) {
            result.writes.push_back(write);
            continue;
        }
        const NodeId step = b_.free_in(over->word).at(0); // the loop overrides it
        write.enable = b_.operation(
            Op::logical_and, {1, false},
            b_.operation(Op::equal, {1, false}, step, b_.constant(b_.type(step), 0)), write.enable);
        auto& own = over->root.memory_writes;
        own.insert(own.begin(), write);
    }
    for (Looped& loop : loops) {
        for (const auto& [word, node] : loop_assertions_)
            if (word == loop.word)
                loop.root.asserted.push_back(node);
        result.loops.push_back(std::move(loop.root));
    }
    return result;
}

} // namespace sme::expr
