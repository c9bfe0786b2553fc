// SPDX-License-Identifier: Apache-2.0
#include "native/emit/part_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/program/parts.hpp"

namespace sme::native {

using expr::no_node;
using expr::Node;
using expr::NodeId;
using expr::Op;

std::string scalar_name(const ProcessFamily& family, std::uint32_t port, std::uint64_t offset) {
    const Port& found = family.ports[port];
    for (const Leaf& leaf : found.type->leaves())
        if (leaf.offset == offset)
            return c_name(found.name + leaf.path);
    return c_name(found.name) + "_mark";
}

PartText PartWriter::run() {
    texts_.resize(program_.nodes.size());
    find_needed();
    write_all(part_.nodes);
    for (const expr::FaultCheck& fault : part_.faults)
        add_rare(fault.bad, fault.selected);
    for (const NodeId halt : part_.halts)
        add_rare(halt);
    for (const expr::MemoryReset& reset : part_.memory_resets)
        add_rare(reset.enable);
    for (const expr::Print& print : part_.prints)
        add_rare(print.enable);
    for (const NodeId result : part_.results)
        made_.results.push_back({{}, {}, "(u64)" + text(result), uses({result}), {}});
    write_stores();
    write_loop_memories();
    write_memories();
    return std::move(made_);
}

NodeId PartWriter::source(NodeId id) const {
    for (;;) {
        const Node& found = node(id);
        if (found.op == Op::loop_result) // after a loop its variables are its results
            id = program_.loops[node(found.a).immediate].carried[found.immediate].variable;
        else if (found.op == Op::checked)
            id = found.a;
        else
            return id;
    }
}

std::string PartWriter::text(NodeId id) const {
    const Node& found = node(source(id));
    return found.op == Op::constant ? arithmetic_.literal(found.type, found.immediate)
                                    : texts_[source(id)];
}

void PartWriter::find_needed() {
    needed_.assign(program_.nodes.size(), false);
    std::vector<NodeId> open;
    const auto need = [&](NodeId id) {
        if (!needed_[source(id)])
            open.push_back(source(id));
        needed_[source(id)] = true;
    };
    expr::for_each_effect(part_, need); // what is printed is the interpreter's
    expr::for_each_loop_use(program_, part_, need);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        expr::for_each_operand(node(id), need);
    }
    expr::for_each_node(part_, [&](NodeId id) {
        const Op op = node(id).op;
        if (op == Op::constant || op == Op::checked || op == Op::loop_result)
            needed_[id] = false; // no statements of their own
    });
}

void PartWriter::write_all(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes)
        if (node(id).op == Op::loop)
            write_loop(id);
        else if (needed_[id])
            write_value(id);
}

std::string PartWriter::name_for(NodeId id) {
    const Node& found = node(id);
    return names_.unique(found.op == Op::load ? scalar_name(family_, found.a, found.immediate)
                                              : fmt::format("v{}", id));
}

std::vector<std::string> PartWriter::uses(std::initializer_list<NodeId> ids) const {
    std::vector<std::string> found;
    for (const NodeId id : ids)
        if (id != no_node && node(source(id)).op != Op::constant)
            found.push_back(texts_[source(id)]);
    return found;
}

void PartWriter::write_value(NodeId id) {
    const Node& found = node(id);
    if (found.op == Op::load)
        if (const std::string known =
                site_.known(found.a, static_cast<std::uint32_t>(found.immediate));
            !known.empty()) {
            texts_[id] = known;
            return;
        }
    Statement made;
    made.type = arithmetic_.of(found.type);
    made.text = value_of(found);
    expr::for_each_operand(found, [&](NodeId operand) {
        for (std::string& used : uses({operand}))
            made.uses.push_back(std::move(used));
    });
    if (found.op == Op::select) {
        made.condition = text(found.a);
        made.first = text(found.b);
        made.second = text(found.c);
    }
    made.loads = found.op == Op::load || found.op == Op::memory_read;
    made.work = expr::row_of(found.op).work;
    made.name = texts_[id] = name_for(id);
    made_.values.push_back(std::move(made));
}

std::string PartWriter::value_of(const Node& node) {
    switch (node.op) {
    case Op::load:
        return site_.slot(node.a, static_cast<std::uint32_t>(node.immediate),
                          Arithmetic::in_slot(node.type), false);
    case Op::index: return index(node);
    case Op::cycle: return arithmetic_.narrowed(site_.cycle(), node.type);
    case Op::random: return random(node);
    case Op::memory_read: return read_memory(node);
    case Op::table_read: return read_table(node);
    default: return operation(node);
    }
}

std::string PartWriter::index(const Node& node) {
    const std::uint64_t dimension = node.immediate;
    std::uint64_t inner = 1; // how many instances share a value
    for (std::size_t d = dimension + 1; d < program_.index_count.size(); ++d)
        inner *= program_.index_count[d];
    std::string at = site_.place();
    if (inner > 1)
        at = fmt::format("{} / {}u", at, inner);
    if (dimension > 0)
        at = fmt::format("{} % {}u", at, program_.index_count[dimension]);
    return arithmetic_.narrowed(
        fmt::format("{}ul + {}", static_cast<std::uint64_t>(program_.index_low[dimension]), at),
        node.type);
}

std::string PartWriter::random(const Node& node) {
    return arithmetic_.narrowed(fmt::format("random_bits({}, {}, {}ul, {})", site_.random_family(),
                                            site_.instance(), node.immediate, site_.cycle()),
                                node.type);
}

/// The largest value that a node can have which is never negative; nothing: it may be.
std::optional<std::uint64_t> PartWriter::most(NodeId id) const {
    const Node& found = node(source(id));
    const unsigned bits = found.type.width_bits - (found.type.is_signed ? 1u : 0u); // 0 of an i1
    const std::uint64_t most_of_type = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
    const auto whole = found.type.is_signed ? std::optional<std::uint64_t>{} : most_of_type;
    if (found.op == Op::constant)
        return found.immediate <= most_of_type ? std::optional{found.immediate} : whole;
    if (found.op == Op::step) {
        for (const expr::Loop& loop : program_.loops)
            if (loop.step == source(id))
                return loop.count - 1;
        return whole;
    }
    if (found.op != Op::convert && found.op != Op::add && found.op != Op::divide)
        return whole;
    const auto a = most(found.a);
    if (!a || *a > most_of_type)
        return whole;
    if (found.op != Op::add)
        return a;
    const auto b = most(found.b);
    return b && *b <= most_of_type - *a ? *a + *b : whole;
}

/// An index below `count`: 0 stands for what is outside.
std::string PartWriter::word(NodeId id, std::uint64_t count) const {
    const std::string at = text(id);
    const auto largest = most(id);
    return largest && *largest < count ? at : fmt::format("({0} < {1}ul ? {0} : 0)", at, count);
}

/// The variable of a scalar in a memory, where the word is a constant and there is one.
std::string PartWriter::known_word(std::uint32_t number, NodeId word, std::uint64_t offset,
                                   CType type, bool write) const {
    const MemorySlots& memory = places_.memories[number];
    const Node& found = node(source(word));
    if (found.op != Op::constant || found.immediate >= memory.words_each)
        return {};
    return site_.memory_scalar(number, found.immediate * memory.element->size() + offset, type,
                               write);
}

std::string PartWriter::read_memory(const Node& node) {
    const MemorySlots& memory = places_.memories[node.b];
    if (std::string known =
            known_word(node.b, node.a, node.immediate, Arithmetic::in_slot(node.type), false);
        !known.empty())
        return known;
    return fmt::format("*(const {} *)({} + {} * {}ul + {})", Arithmetic::in_slot(node.type).name(),
                       site_.memory(node.b), word(node.a, memory.words_each),
                       memory.element->size(), node.immediate);
}

std::string PartWriter::read_table(const Node& node) {
    const std::uint64_t count = program_.tables[node.b].values.size();
    return fmt::format("({}){}[{}]", arithmetic_.of(node.type).name(),
                       site_.table(node.b, Arithmetic::in_slot(node.type)), word(node.a, count));
}

std::string PartWriter::operation(const Node& node) {
    Arithmetic::Operands operands;
    operands.a = text(node.a);
    operands.a_type = this->node(source(node.a)).type;
    if (node.b != no_node) {
        operands.b = text(node.b);
        if (const Node& b = this->node(source(node.b)); b.op == Op::constant)
            operands.b_value = b.immediate;
    }
    if (node.c != no_node)
        operands.c = text(node.c);
    return arithmetic_.operation(node, operands);
}

void PartWriter::add_rare(NodeId a, NodeId b) {
    Statement made;
    made.uses = uses({a, b});
    made.text = b == no_node ? text(a) : fmt::format("{} & {}", text(a), text(b));
    made_.rare.push_back(std::move(made));
}

void PartWriter::write_stores() {
    for (const expr::Store& store : part_.stores) {
        Statement made;
        const expr::Scalar type = node(source(store.value)).type;
        made.uses = uses({store.value});
        made.text = fmt::format(
            "{} = {};", site_.slot(store.port, store.offset, Arithmetic::in_slot(type), true),
            text(store.value));
        made_.stores.push_back(std::move(made));
        site_.stored(store.port, store.offset, text(store.value));
    }
}

/// What waits for the end of the cycle is kept whole, and is enabled by its word.
void PartWriter::write_memories() {
    for (std::size_t k = 0; k < part_.memory_writes.size(); ++k) {
        const expr::MemoryWrite& write = part_.memory_writes[k];
        Statement made;
        made.uses = uses({write.enable, write.word, write.value});
        const std::string enable = text(write.enable), word = text(write.word);
        const CType type = Arithmetic::in_slot(node(source(write.value)).type);
        if (const std::string pending = site_.pending(k); !pending.empty())
            made.text = fmt::format("{0}.word = {1} ? {2} : ~0ul; {0}.value = (u64){3};", pending,
                                    enable, word, text(write.value));
        else
            write_at_once(write, type, made);
        made_.writes.push_back(std::move(made));
    }
}

void PartWriter::write_at_once(const expr::MemoryWrite& write, CType type, Statement& made) const {
    std::string place = known_word(write.memory, write.word, write.offset, type, true);
    if (place.empty())
        place = fmt::format("*({} *)({} + {} * {}ul + {})", type.name(), site_.memory(write.memory),
                            text(write.word), places_.memories[write.memory].element->size(),
                            write.offset);
    if (const Node& enable = node(source(write.enable));
        enable.op != Op::constant || enable.immediate == 0)
        made.condition = text(write.enable);
    made.text = fmt::format("{} = {};", place, text(write.value));
}

} // namespace sme::native
