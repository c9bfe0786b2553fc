// SPDX-License-Identifier: Apache-2.0
//
// Lines that write many words of a memory: a loop whose step writes one word. Lines over ranges of
// one shape share the step, so conflicts between their writes are found as usual.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/assignments.hpp"
#include "expr/process/word_by_word.hpp"

namespace sme::expr {

namespace {

/// Returns true if a constant array has exactly these dimensions.
bool has_dimensions(const Type& array, const std::vector<std::uint64_t>& dimensions) {
    const Type* type = &array;
    for (const std::uint64_t dimension : dimensions) {
        if (type->kind() != TypeKind::array || type->count() != dimension)
            return false;
        type = type->element().get();
    }
    return type->kind() != TypeKind::array;
}

} // namespace

/// Rewrites a line that assigns words; `nullopt` for other lines and for few words.
std::optional<Statement> Assignments::word_by_word(const Statement& statement) {
    const Ast& base = WordByWord::base_of(*statement.target);
    if (!is_memory(base))
        return std::nullopt;
    const WordByWord words{statement, *states_.at(base.text)};
    if (!LoopFrame::is_wanted(e_, words.words()))
        return std::nullopt;
    return words.statement([&](const Ast& name, const std::vector<std::uint64_t>& dimensions) {
        const BoundExpr value = e_.evaluate(name);
        return (value.form == Form::memory && value.memory()->dimensions == dimensions) ||
               (value.form == Form::constants &&
                has_dimensions(*value.constants()->type, dimensions));
    });
}

bool Assignments::is_memory(const Ast& target) const {
    const auto state = states_.find(WordByWord::base_of(target).text);
    return state != states_.end() && state->second->is_memory;
}

/// Returns true if each word that a line writes depends on the step.
bool Assignments::has_loop_words(const Statement& statement, NodeId step) {
    const std::optional<Target> target = this->target(*statement.target);
    if (!target)
        return true; // already reported
    const auto depends = [&](const Place& place) {
        const std::vector<NodeId>& free = b_.free_in(place.key.word);
        return free.size() == 1 && free[0] == step;
    };
    return std::all_of(target->leaves.begin(), target->leaves.end(), [&](const auto& places) {
        return std::all_of(places.begin(), places.end(), depends);
    });
}

/// Writes words in a loop; false if the line must be unrolled.
bool Assignments::assign_in_loop(const Statement& statement, const std::vector<LoopIndex>& indices,
                                 NodeId path, Targets& targets, Writes& written,
                                 BoundStatement& bound) {
    LoopFrame frame{e_, indices, statement.where};
    if (!frame.ok())
        return true;
    const std::uint32_t memory = states_.at(WordByWord::base_of(*statement.target).text)->memory;
    if (!has_loop_words(statement, frame.step())) {
        if (frame.count() <= Elaborator::max_leaves)
            return false;
        refuse_words({true, memory, no_node, 0});
        return true;
    }
    const auto first_site = static_cast<std::uint32_t>(b_.program().sites.size());
    looped_.insert(memory);
    if (e_.cover())
        e_.cover()->open();
    bound.loop = indices;
    const bool fine = assign_one(statement, path, targets, written, bound);
    if (e_.cover())
        e_.cover()->give_each(e_.cover()->take(), frame.loop());
    loop_sites_[frame.step()].push_back(first_site);
    if (fine)
        frame.charge({frame.step()}, LoopFrame::writing_weight);
    return true;
}

void Assignments::note_applied(const TargetKey& key) {
    if (!key.is_memory)
        return;
    const std::uint64_t now = applications_++;
    const auto [found, fresh] = applied_.try_emplace({key.place, key.word}, Applied{now, now});
    found->second.last = now;
}

void Assignments::refuse_words(const TargetKey& key) {
    const auto place = places_.find(key);
    b_.loops().failed = true;
    e_.fail(Code::too_large, place == places_.end() ? Location{} : place->second,
            fmt::format("'{}' is written over ranges that may meet, and {} steps and more are a "
                        "loop; write one range, with the choice in its right-hand side",
                        name_of(key), b_.loops().from));
}

/// Like check_write, for words written by loops: different word numbers may coincide in some steps.
bool Assignments::check_words(const TargetKey& key, const Write& write, const Writes& before,
                              const std::string& name, const Location* block) {
    if (!key.is_memory || !looped_.contains(key.place))
        return true;
    const auto is_sure = [&](const Write& each) {
        return each.bits.at == no_node && b_.constant_value(each.guard) == std::uint64_t{1};
    };
    for (const auto& [other, writes] : before) {
        if (!other.is_memory || other.place != key.place || other.leaf != key.leaf ||
            other.word == key.word || writes.empty() || !(is_loop(key) || is_loop(other)) ||
            words_.meet(key.word, other.word) != true)
            continue;
        const bool sure = is_sure(write) && write.bits.whole() &&
                          std::all_of(writes.begin(), writes.end(), [&](const Write& each) {
                              return is_sure(each) && each.bits.whole();
                          });
        if (sure)
            return report_two(write, writes[0], name, block);
        refuse_words(key);
        return false;
    }
    return true;
}

/// Refuses bit writes to a word that an enclosing line writes under another number, as in a loop:
/// the word's value is then unknown here.
void Assignments::check_bits(const TargetKey& key, const Targets& targets) {
    if (!key.is_memory || !looped_.contains(key.place))
        return;
    for (const auto& [other, assigned] : targets)
        if (other.is_memory && other.place == key.place && other.leaf == key.leaf &&
            other.word != key.word && (is_loop(key) || is_loop(other)) &&
            words_.meet(key.word, other.word) == true)
            return refuse_words(key);
}

MemoryWrite Assignments::memory_write(const TargetKey& key, const Assigned& assigned,
                                      NodeId reset) const {
    const NodeId enable = reset == no_node ? assigned.written
                                           : b_.operation(Op::logical_and, {1, false},
                                                          b_.logical_not(reset), assigned.written);
    return {key.place, enable, key.word, leaf_at(*memories_.at(key.place)->type, key.leaf).offset,
            assigned.value};
}

Assignments::MemoryWrites Assignments::memory_writes(NodeId reset) {
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
