// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/lap_memories.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::native {

namespace {

/// Calls visit(memory, by_number) for each read or write of a memory in a part.
template <class Visit>
void for_each_use(const Subject& subject, const expr::PartProgram& part, Visit visit) {
    const expr::Program& program = subject.program;
    const auto is_number = [&](std::uint32_t memory, expr::NodeId word) {
        while (program.nodes[word].op == expr::Op::checked)
            word = program.nodes[word].a;
        return program.nodes[word].op == expr::Op::constant &&
               program.nodes[word].immediate < subject.places.memories[memory].words_each;
    };
    for (const expr::NodeId id : part.nodes)
        if (const expr::Node& node = program.nodes[id]; node.op == expr::Op::memory_read)
            visit(node.b, is_number(node.b, node.a));
    for (const expr::MemoryWrite& write : part.memory_writes)
        visit(write.memory, is_number(write.memory, write.word));
}

} // namespace

LapMemories::Words LapMemories::words_of(const Subject& subject, std::uint32_t memory,
                                         std::uint64_t position) {
    const MemorySlots& slots = subject.places.memories[memory];
    const std::size_t bytes = slots.words_each * slots.element->size();
    const bool own = memory < subject.places.own_memories;
    return {slots.words + (own ? position * bytes : 0), bytes};
}

void LapMemories::add(Use use) {
    for (Use& known : uses_)
        if (known.begin == use.begin && known.bytes == use.bytes) {
            known.by_number = known.by_number && use.by_number;
            return;
        }
    uses_.push_back(use);
}

void LapMemories::look(const Subject& subject, const expr::PartProgram& part,
                       std::uint64_t position) {
    for_each_use(subject, part, [&](std::uint32_t memory, bool by_number) {
        const Words words = words_of(subject, memory, position);
        const MemorySlots& slots = subject.places.memories[memory];
        add({words.begin, words.bytes, slots.words_each * slots.element->leaf_count(), by_number});
    });
}

void LapMemories::look(const Subject& subject, const expr::PartProgram& part) {
    for_each_use(subject, part, [&](std::uint32_t memory, bool) {
        const Words words = words_of(subject, memory, 0);
        const bool own = memory < subject.places.own_memories;
        add({words.begin, words.bytes * (own ? subject.places.order.size() : 1), 0, false});
    });
}

bool LapMemories::is_alone(const std::byte* begin, std::size_t bytes) const {
    return std::none_of(uses_.begin(), uses_.end(), [&](const Use& use) {
        const bool same = use.begin == begin && use.bytes == bytes;
        return !same && Words{use.begin, use.bytes}.meet({begin, bytes});
    });
}

void LapMemories::decide() {
    std::size_t left = most_variables;
    for (Use& use : uses_) {
        use.variables = use.by_number && use.scalars <= left && is_alone(use.begin, use.bytes);
        left -= use.variables ? use.scalars : 0;
    }
}

bool LapMemories::has_variables(const Words& words) const {
    const auto use = std::find_if(uses_.begin(), uses_.end(), [&](const Use& known) {
        return known.begin == words.begin && known.bytes == words.bytes;
    });
    return use != uses_.end() && use->variables;
}

std::string LapMemories::variable(const Words& words, std::size_t offset, CType type,
                                  const std::string& base, bool written) {
    const auto [found, fresh] = numbers_.try_emplace(words.begin + offset, variables_.size());
    if (fresh)
        variables_.push_back({names_.unique("_word"), type, fmt::format("{} + {}", base, offset)});
    Variable& variable = variables_[found->second];
    fit_ = fit_ && variable.type == type;
    variable.written = variable.written || written;
    return variable.name;
}

std::string LapMemories::before() const {
    std::string made;
    for (const Variable& variable : variables_)
        made += fmt::format("    {0} {1} = *(const {0} *)({2});\n", variable.type.name(),
                            variable.name, variable.place);
    return made;
}

std::string LapMemories::after() const {
    std::string made;
    for (const Variable& variable : variables_)
        if (variable.written)
            made += fmt::format("    *({} *)({}) = {};\n", variable.type.name(), variable.place,
                                variable.name);
    return made;
}

} // namespace sme::native
