// SPDX-License-Identifier: Apache-2.0
//
// What a part does besides computing values: conditions that need the interpreter, stores into
// slots, writes of memories, counters.
#include "native/ir/part_lowering.hpp"

#include <optional>

#include <fmt/format.h>

#include "expr/program/parts.hpp"

namespace sme::native {

using expr::no_node;
using expr::NodeId;
using expr::Op;
using expr::Scalar;

namespace {

constexpr Scalar bool_type{1, false};

/// A value of a whole slot, as bits.
std::optional<Scalar> type_of_slot(std::uint64_t bytes) {
    if (bytes != 2 && bytes != 4 && bytes != 8)
        return std::nullopt;
    return Scalar{static_cast<std::uint8_t>(8 * bytes), false};
}

} // namespace

std::string scalar_name(const ProcessFamily& family, std::uint32_t port, std::uint64_t offset) {
    const Port& found = family.ports[port];
    for (const Leaf& leaf : found.type->leaves())
        if (leaf.offset == offset)
            return c_name(found.name + leaf.path);
    return c_name(found.name) + "_mark";
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
            store(stores[k].port, stores[k].offset, slot_type(routine_[stored].type), stored,
                  addressing_.slot(stores[k].port, stores[k].offset, true),
                  scalar_name(family_, stores[k].port, stores[k].offset));
        }
    }
}

void PartLowering::store(std::uint32_t port, std::uint32_t offset, const std::string& type,
                         Id value, const Addressing::Slot& slot, std::string name) {
    std::string text = fmt::format("*({} *)({}) = $0;", type, slot.pointer);
    if (const std::string compare = addressing_.compare(port, offset, type); !compare.empty())
        text = fmt::format("{{ {} {} }}", compare, text);
    const Id result = routine_.effect(
        std::move(text), {value},
        {.space = slot.at ? Place::Space::slot : Place::Space::other, .at = slot.at.value_or(0)});
    routine_[result].type = routine_[value].type;
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
    store(port, 0, slot_type(*type) + "_slot", result, addressing_.slot(port, 0, true),
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
                                   fmt::format("*(const {}_slot *)({})", slot_type(type),
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

/// Each thread has counters of its own, or only one thread at a time steps the instance.
void PartLowering::count() {
    for (std::size_t k = 0; k <= made_.results.size(); ++k) {
        const std::vector<Id> operands =
            k < made_.results.size() ? std::vector{made_.results[k]} : std::vector<Id>{};
        const Id result = routine_.effect(
            fmt::format("{} += {};", addressing_.counter(k), operands.empty() ? "1" : "$0"),
            operands);
        routine_[result].lasts = true;
        made_.writes.push_back(result);
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
