// SPDX-License-Identifier: Apache-2.0
#include "native/ir/part_lowering.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "expr/program/parts.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

using expr::no_node;
using expr::NodeId;
using expr::Op;
using expr::Scalar;

namespace {

constexpr Scalar word_type{64, false};
constexpr Scalar half_word_type{32, false};

} // namespace

Words Subject::words(std::uint32_t memory, std::uint64_t position) const {
    const MemorySlots& slots = places.memories[memory];
    const std::size_t bytes = slots.words_each * slots.element->size();
    return {slots.words + (memory < places.own_memories ? position * bytes : 0), bytes};
}

Words Subject::words(std::uint32_t memory) const {
    const Words one = words(memory, 0);
    return {one.begin, one.bytes * (memory < places.own_memories ? places.order.size() : 1)};
}

PartCode PartLowering::run() {
    find_needed();
    lower(part_.nodes, made_.values);
    for (const expr::FaultCheck& fault : part_.faults)
        stop_if(fault.bad, fault.selected);
    for (const NodeId halt : part_.halts)
        stop_if(halt);
    for (const expr::MemoryReset& reset : part_.memory_resets)
        stop_if(reset.enable);
    for (const expr::Print& print : part_.prints)
        stop_if(print.enable);
    for (const NodeId result : part_.results)
        made_.results.push_back(id_of(result));
    store_outputs();
    write_loop_memories();
    write_memories();
    if (counts_)
        count();
    return std::move(made_);
}

/// The node that provides the value of this one.
NodeId PartLowering::source(NodeId id) const {
    for (;;) {
        const expr::Node& found = node(id);
        if (found.op == Op::loop_result) // after a loop, its variables are its results
            id = program_.loops[node(found.a).immediate].carried[found.immediate].variable;
        else if (found.op == Op::checked)
            id = found.a;
        else
            return id;
    }
}

Id PartLowering::id_of(NodeId id) {
    const NodeId from = source(id);
    if (node(from).op == Op::constant && ids_[from] == no_id)
        ids_[from] = routine_.constant(node(from).type, node(from).immediate);
    return ids_[from];
}

/// Prints are left to the interpreter.
void PartLowering::find_needed() {
    needed_.resize(program_.nodes.size());
    std::vector<NodeId> open;
    const auto need = [&](NodeId id) {
        if (!needed_[source(id)])
            open.push_back(source(id));
        needed_[source(id)] = true;
    };
    expr::for_each_effect(part_, need);
    expr::for_each_loop_use(program_, part_, need);
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        expr::for_each_operand(node(id), need);
    }
}

void PartLowering::lower(const std::vector<NodeId>& nodes, std::vector<Id>& to) {
    for (const NodeId id : nodes) {
        const Op op = node(id).op;
        if (op == Op::loop) {
            if (const expr::PartLoop& found = expr::loop_of(part_, id); !found.carried.empty())
                to.push_back(loop(found, LoopFor::carried));
        } else if (needed_[id] && op != Op::constant && op != Op::checked &&
                   op != Op::loop_result) {
            ids_[id] = value(id, to);
            to.push_back(ids_[id]);
        }
    }
}

Id PartLowering::value(NodeId id, std::vector<Id>& to) {
    const expr::Node& found = node(id);
    std::string name = fmt::format("v{}", id);
    switch (found.op) {
    case Op::load: return load(found, scalar_name(family_, found.a, found.immediate));
    case Op::load_at: return load_at(found, scalar_name(family_, found.b, found.immediate));
    case Op::index: return index(found, std::move(name), to);
    case Op::cycle: return narrowed(addressing_.cycle(), found.type, std::move(name), to);
    case Op::random:
        return narrowed(fmt::format("random_bits({}, {}, {}ul, {})", addressing_.random_family(),
                                    addressing_.instance(), found.immediate, addressing_.cycle()),
                        found.type, std::move(name), to);
    case Op::memory_read: return read_memory(found, std::move(name));
    case Op::table_read: {
        const Id at = id_of(found.a);
        return routine_.load(found.type,
                             fmt::format("{}[{}]", addressing_.table(found.b),
                                         word(at, program_.tables[found.b].values.size())),
                             {at}, {}, std::move(name));
    }
    default: {
        std::vector<Id> operands;
        expr::for_each_operand(found, [&](NodeId operand) { operands.push_back(id_of(operand)); });
        return routine_.operation(found.op, found.type, std::move(operands), std::move(name));
    }
    }
}

/// The value of an unsigned expression, reduced modulo 2^n for a type.
Id PartLowering::narrowed(std::string text, Scalar type, std::string name, std::vector<Id>& to,
                          Scalar word) {
    if (type == word)
        return routine_.load(type, std::move(text), {}, {}, std::move(name));
    const Id wide = routine_.load(word, std::move(text), {}, {}, name);
    to.push_back(wide);
    return routine_.operation(Op::convert, type, {wide}, std::move(name));
}

Id PartLowering::load(const expr::Node& node, std::string name) {
    const Addressing::Slot slot =
        addressing_.slot(node.a, static_cast<std::uint32_t>(node.immediate), false);
    return routine_.load(
        node.type, fmt::format("*(const {} *)({})", slot_type(node.type), slot.pointer), {},
        {.space = slot.at ? Place::Space::slot : Place::Space::other, .at = slot.at.value_or(0)},
        std::move(name));
}

/// The offset of the slot at index $0, as a choice among the runs from `begin` to `end`.
std::string PartLowering::offset_at(const std::vector<Segment>& runs, std::size_t begin,
                                    std::size_t end) {
    if (end - begin == 1) {
        const Segment& run = runs[begin];
        return fmt::format("{}l + (i64)$0 * {}l",
                           run.offset - static_cast<std::int64_t>(run.first) * run.stride,
                           run.stride);
    }
    const std::size_t middle = begin + (end - begin) / 2;
    return fmt::format("($0 < {}ul ? {} : {})", runs[middle].first, offset_at(runs, begin, middle),
                       offset_at(runs, middle, end));
}

Id PartLowering::load_at(const expr::Node& node, std::string name) {
    const Segments& slots = places_.ports[node.b];
    const Id at = id_of(node.a);
    const auto most = largest(routine_, at);
    const std::string offset = offset_at(slots.runs(), 0, slots.runs().size());
    const std::string safe =
        most && *most < slots.size()
            ? offset
            : fmt::format("($0 < {}ul ? {} : {})", slots.size(), offset, slots.at(0));
    return routine_.load(node.type,
                         fmt::format("*(const {} *)({} + ({}) + {})", slot_type(node.type),
                                     addressing_.arena(static_cast<std::uint64_t>(slots.at(0))),
                                     safe, node.immediate),
                         {at}, {.space = Place::Space::other}, std::move(name));
}

Id PartLowering::index(const expr::Node& found, std::string name, std::vector<Id>& to) {
    constexpr std::uint64_t most_narrow = std::uint64_t{1} << 31;
    const std::uint64_t dimension = found.immediate;
    std::uint64_t inner = 1; // how many instances share an index value
    for (std::size_t d = dimension + 1; d < program_.index_count.size(); ++d)
        inner *= program_.index_count[d];
    std::string at = addressing_.place();
    if (inner > 1)
        at = fmt::format("{} / {}u", at, inner);
    if (dimension > 0)
        at = fmt::format("{} % {}u", at, program_.index_count[dimension]);
    const std::int64_t low = program_.index_low[dimension];
    // narrow values make faster vector code
    const bool narrow = low >= 0 && program_.kept.empty() &&
                        static_cast<std::uint64_t>(low) + places_.order.size() <= most_narrow;
    return narrowed(
        fmt::format("{}{} + {}", static_cast<std::uint64_t>(low), narrow ? "u" : "ul", at),
        found.type, std::move(name), to, narrow ? half_word_type : word_type);
}

/// The first operand as an index below `count`; 0 if it is out of range.
std::string PartLowering::word(Id id, std::uint64_t count) const {
    const auto most = largest(routine_, id);
    return most && *most < count ? "$0" : fmt::format("($0 < {}ul ? $0 : 0)", count);
}

Place PartLowering::place_of(std::uint32_t number, const Addressing::Memory& found, Id word,
                             std::uint64_t offset) const {
    const MemorySlots& memory = places_.memories[number];
    Place result{.space = Place::Space::memory, .words = found.words, .base = found.pointer};
    result.scalars = memory.words_each * memory.element->leaf_count();
    result.known = routine_[word].kind == Node::Kind::constant &&
                   routine_[word].immediate < memory.words_each && found.words.bytes > 0;
    result.at = result.known ? routine_[word].immediate * memory.element->size() + offset : 0;
    return result;
}

Id PartLowering::read_memory(const expr::Node& node, std::string name) {
    const MemorySlots& memory = places_.memories[node.b];
    const Id at = id_of(node.a);
    const Addressing::Memory found = addressing_.memory(node.b);
    return routine_.load(node.type,
                         fmt::format("*(const {} *)({} + {} * {}ul + {})", slot_type(node.type),
                                     found.pointer, word(at, memory.words_each),
                                     memory.element->size(), node.immediate),
                         {at}, place_of(node.b, found, at, node.immediate), std::move(name));
}

} // namespace sme::native
