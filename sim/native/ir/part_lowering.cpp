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

constexpr Scalar bool_type{1, false};
constexpr Scalar word_type{64, false};
constexpr Scalar half_word_type{32, false};

/// A value of a whole slot, as bits.
std::optional<Scalar> type_of_slot(std::uint64_t bytes) {
    if (bytes != 2 && bytes != 4 && bytes != 8)
        return std::nullopt;
    return Scalar{static_cast<std::uint8_t>(8 * bytes), false};
}

/// The name of the scalar at an offset of a port: "x_value".
std::string scalar_name(const ProcessFamily& family, std::uint32_t port, std::uint64_t offset) {
    const Port& found = family.ports[port];
    for (const Leaf& leaf : found.type->leaves())
        if (leaf.offset == offset)
            return c_name(found.name + leaf.path);
    return c_name(found.name) + "_mark";
}

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

void PartLowering::stop_if(NodeId a, NodeId b) {
    Id when = id_of(a);
    if (b != no_node) {
        when = routine_.operation(Op::bit_and, bool_type, {when, id_of(b)}, "stops");
        made_.values.push_back(when);
    }
    made_.stops.push_back(routine_.effect(stop_, {when}));
}

void PartLowering::store_outputs() {
    const std::vector<expr::Store>& stores = part_.stores;
    for (std::size_t first = 0, end = 0; first < stores.size(); first = end) {
        while (end < stores.size() && stores[end].port == stores[first].port)
            ++end;
        if (store_slot(first, end))
            continue;
        for (std::size_t k = first; k < end; ++k) {
            const Id stored = id_of(stores[k].value);
            store(stores[k].port, stores[k].offset, routine_[stored].type, stored,
                  addressing_.slot(stores[k].port, stores[k].offset, true),
                  scalar_name(family_, stores[k].port, stores[k].offset));
        }
    }
}

void PartLowering::store(std::uint32_t port, std::uint32_t offset, Scalar type, Id value,
                         const Addressing::Slot& slot, std::string name) {
    std::string text = fmt::format("*({} *)({}) = $0;", slot_type(type), slot.pointer);
    if (const std::string compare = addressing_.compare(port, offset, slot_type(type));
        !compare.empty())
        text = fmt::format("{{ {} {} }}", compare, text);
    const Id result = routine_.effect(
        std::move(text), {value},
        {.space = slot.at ? Place::Space::slot : Place::Space::other, .at = slot.at.value_or(0)});
    routine_[result].type = type;
    routine_[result].name = std::move(name);
    made_.stores.push_back(result);
}

/// Stores to all scalars of a slot as one word, if their values are chosen together from whole
/// slots: a message that is passed on is then one value, not one for each field. Only where slots
/// do not become variables.
bool PartLowering::store_slot(std::size_t first, std::size_t end) {
    const std::uint32_t port = part_.stores[first].port;
    const auto type = type_of_slot(places_.slot_bytes[port]);
    if (end - first < 2 || end - first != family_.ports[port].type->leaf_count() || !type ||
        addressing_.slot(port, 0, true).at)
        return false;
    std::vector<NodeId> values;
    for (std::size_t k = first; k < end; ++k)
        values.push_back(part_.stores[k].value);
    const Id result = whole(values, first);
    if (result == no_id)
        return false;
    store(port, 0, *type, result, addressing_.slot(port, 0, true),
          c_name(family_.ports[port].name));
    return true;
}

/// The slot whose scalars have these values, in the order of the stores from `first` on; no_id if
/// they are not chosen together.
Id PartLowering::whole(const std::vector<NodeId>& values, std::size_t first) {
    std::vector<NodeId> from;
    for (const NodeId value : values)
        from.push_back(source(value));
    if (const auto known = whole_.find(from); known != whole_.end())
        return known->second;
    const expr::Store* const stores = part_.stores.data() + first;
    const std::uint64_t bytes = places_.slot_bytes[stores->port];
    const Scalar type = *type_of_slot(bytes);
    const expr::Node& one = node(from.front());
    const auto all = [&](auto same) {
        for (std::size_t k = 0; k < from.size(); ++k)
            if (node(from[k]).op != one.op || !same(node(from[k]), stores[k]))
                return false;
        return true;
    };
    Id result = no_id;
    if (one.op == Op::constant) {
        std::uint64_t bits = 0;
        if (all([](const expr::Node&, const expr::Store&) { return true; })) {
            for (std::size_t k = 0; k < from.size(); ++k) {
                const std::uint64_t value = node(from[k]).immediate;
                const unsigned width = 8 * node(from[k]).type.bytes();
                bits |= (width == 64 ? value : value & ((std::uint64_t{1} << width) - 1))
                        << (8 * stores[k].offset);
            }
            result = routine_.constant(type, bits);
        }
    } else if (one.op == Op::load) {
        if (places_.slot_bytes[one.a] == bytes && all([&](const expr::Node& each, const auto& to) {
                return each.a == one.a && each.immediate == to.offset;
            }))
            result = routine_.load(type,
                                   fmt::format("*(const {} *)({})", slot_type(type),
                                               addressing_.slot(one.a, 0, false).pointer),
                                   {}, {.space = Place::Space::other},
                                   c_name(family_.ports[one.a].name));
    } else if (one.op == Op::select &&
               all([&](const expr::Node& each, const auto&) { return each.a == one.a; })) {
        std::vector<NodeId> chosen, other;
        for (const NodeId id : from) {
            chosen.push_back(node(id).b);
            other.push_back(node(id).c);
        }
        const Id yes = whole(chosen, first), no = yes == no_id ? no_id : whole(other, first);
        if (no != no_id)
            result = routine_.operation(Op::select, type, {id_of(one.a), yes, no}, "slot");
    }
    if (result != no_id && one.op != Op::constant)
        made_.values.push_back(result);
    whole_[std::move(from)] = result;
    return result;
}

/// A waiting write stores its full value, and a valid word number enables it.
void PartLowering::write_memories() {
    for (std::size_t k = 0; k < part_.memory_writes.size(); ++k) {
        const expr::MemoryWrite& write = part_.memory_writes[k];
        const std::string pending = addressing_.pending(k), wrote = addressing_.wrote();
        made_.writes.push_back(
            pending.empty()
                ? write_at_once(write)
                : routine_.effect(
                      fmt::format("{0}.word = $0 ? $1 : ~0ul; {0}.value = (u64)$2;{1}", pending,
                                  wrote.empty() ? "" : fmt::format(" {} |= $0;", wrote)),
                      {id_of(write.enable), id_of(write.word), id_of(write.value)}));
    }
}

Id PartLowering::write_at_once(const expr::MemoryWrite& write) {
    const Id word = id_of(write.word), value = id_of(write.value), enable = id_of(write.enable);
    const Addressing::Memory found = addressing_.memory(write.memory);
    const std::string wrote = addressing_.wrote();
    const Scalar type = routine_[value].type;
    const Id result = routine_.effect(
        fmt::format(fmt::runtime(wrote.empty()
                                     ? "*({} *)({} + $1 * {}ul + {}) = $0;"
                                     : "{{ *({} *)({} + $1 * {}ul + {}) = $0; {} = 1; }}"),
                    slot_type(type), found.pointer, places_.memories[write.memory].element->size(),
                    write.offset, wrote),
        {value, word}, place_of(write.memory, found, word, write.offset));
    routine_[result].type = type;
    routine_[result].lasts = true;
    if (routine_[enable].kind != Node::Kind::constant || routine_[enable].immediate == 0)
        routine_[result].condition = enable;
    return result;
}

} // namespace sme::native
