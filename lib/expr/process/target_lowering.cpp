// SPDX-License-Identifier: Apache-2.0
//
// The places of a target: the scalars of slots or memory words that it changes. Bits of an integer
// change a part of a scalar: its other bits keep the value from the enclosing lines, or the current
// value of the target.
#include <algorithm>

#include "expr/process/step_lowering.hpp"
#include "expr/typing/structs.hpp"

namespace sme::expr {

namespace {

constexpr unsigned bits_of_word = 64;

} // namespace

Leaf leaf_at(const Type& type, std::uint64_t number) {
    Leaf found{{}, 0, &type, 0};
    while (!found.type->is_scalar() || found.type->is_wide())
        if (found.type->is_wide()) {
            const Leaf word = found.type->leaves()[number];
            found.offset += word.offset;
            found.type = word.type;
        } else if (found.type->kind() == TypeKind::array) {
            const Type& element = *found.type->element();
            found.offset +=
                static_cast<std::uint32_t>(number / element.leaf_count() * element.size());
            number %= element.leaf_count();
            found.type = &element;
        } else {
            auto field = found.type->fields().begin();
            for (; number >= field->type->leaf_count(); ++field)
                number -= field->type->leaf_count();
            found.offset += field->offset;
            found.type = field->type.get();
        }
    return found;
}

StepLowering::Places StepLowering::places_of(const BoundTarget& target) {
    Places places =
        target.state && target.state->is_memory ? word_places(target) : port_places(target);
    TypeRef type = target.port ? target.port->type : target.state->type;
    if (target.state && target.state->is_memory)
        for (std::size_t d = target.state->dimensions.size(); d-- > target.indices.size();)
            type = Type::array(type, target.state->dimensions[d]);
    for (const BoundSelect& select : target.selects)
        switch (select.kind) {
        case BoundSelect::Kind::field: {
            const auto begin =
                places.begin() + static_cast<std::ptrdiff_t>(first_leaf(*type, select.field));
            type = type->fields()[select.field].type;
            places = {begin, begin + static_cast<std::ptrdiff_t>(type->leaf_count())};
            break;
        }
        case BoundSelect::Kind::element:
            type = type->element();
            places = element_places(places, select, *type);
            break;
        case BoundSelect::Kind::bit: places = bit_places(places, select); break;
        case BoundSelect::Kind::slice: places = slice_places(places, select); break;
        }
    return places;
}

/// Returns an index, counted from the lowest, with its check.
NodeId StepLowering::checked(const BoundSelect& index) {
    const Lowering::Index at = lower_.index(*index.index, index.lowest, index.count);
    return b_.checked(at.node, at.outside, index_fault(index.count, index.where));
}

/// Returns an index of a memory, with its check: lines with the same index write one word, each its
/// own fields or bits.
NodeId StepLowering::checked_word(const BoundSelect& index) {
    const Lowering::Index at = lower_.index(*index.index, index.lowest, index.count);
    const auto [found, fresh] = checked_.try_emplace({at.node, at.outside}, no_node);
    if (fresh)
        found->second = b_.checked(at.node, at.outside, index_fault(index.count, index.where));
    return found->second;
}

/// Returns a condition: an index is `k`.
NodeId StepLowering::is_selected(NodeId index, std::uint64_t k) {
    return b_.operation(Op::equal, {1, false}, index, b_.constant({64, false}, k));
}

/// The scalars of an output or a state; a computed index may select any port of an array.
StepLowering::Places StepLowering::port_places(const BoundTarget& target) {
    std::vector<std::pair<std::uint64_t, NodeId>> ports{{0, b_.boolean(true)}};
    for (const BoundSelect& index : target.indices) {
        std::vector<std::pair<std::uint64_t, NodeId>> next;
        const NodeId at = checked(index);
        const std::uint64_t first_port = index.constant().value_or(0);
        const std::uint64_t end = index.constant() ? first_port + 1 : index.count;
        for (const auto& [flat, guard] : ports)
            for (std::uint64_t k = first_port; k < end; ++k)
                next.emplace_back(flat * index.count + k, b_.all_of(guard, is_selected(at, k)));
        ports = std::move(next);
    }
    const std::uint32_t first = target.port ? target.port->write_port : target.state->write_port;
    const Type& type = target.port ? *target.port->type : *target.state->type;
    Places result(static_cast<std::size_t>(type.leaf_count()));
    for (std::uint32_t leaf = 0; leaf < result.size(); ++leaf)
        for (const auto& [flat, guard] : ports)
            result[leaf].push_back(
                {{false, first + static_cast<std::uint32_t>(flat), no_node, leaf}, guard});
    return result;
}

/// The scalars of the words of a memory; with fewer indices than dimensions, those of a row.
StepLowering::Places StepLowering::word_places(const BoundTarget& target) {
    const StateText& state = *target.state;
    const Scalar word{64, false};
    NodeId flat = b_.constant(word, 0);
    for (const BoundSelect& index : target.indices)
        flat = b_.operation(Op::add, word,
                            b_.operation(Op::multiply, word, flat, b_.constant(word, index.count)),
                            checked_word(index));
    std::uint64_t row = 1;
    for (std::size_t d = target.indices.size(); d < state.dimensions.size(); ++d)
        row *= state.dimensions[d];
    flat = b_.operation(Op::multiply, word, flat, b_.constant(word, row));
    Places result;
    for (std::uint64_t k = 0; k < row; ++k) {
        const NodeId at = b_.operation(Op::add, word, flat, b_.constant(word, k));
        for (std::uint32_t leaf = 0; leaf < state.type->leaf_count(); ++leaf)
            result.push_back({{{true, state.memory, at, leaf}, b_.boolean(true), {}}});
    }
    return result;
}

StepLowering::Places StepLowering::element_places(const Places& base, const BoundSelect& select,
                                                  const Type& element) {
    const auto each = static_cast<std::size_t>(element.leaf_count());
    Places result(each);
    const NodeId at = checked(select);
    const std::uint64_t first = select.constant().value_or(0);
    const std::uint64_t end = select.constant() ? first + 1 : select.count;
    for (std::uint64_t k = first; k < end; ++k) {
        const NodeId here = is_selected(at, k);
        for (std::size_t leaf = 0; leaf < each; ++leaf)
            for (Place place : base[static_cast<std::size_t>(k) * each + leaf]) {
                place.guard = b_.all_of(place.guard, here);
                result[leaf].push_back(place);
            }
    }
    return result;
}

StepLowering::Places StepLowering::slice_places(const Places& base, const BoundSelect& select) {
    Places result(1);
    for (unsigned word = select.low / bits_of_word; word <= select.high / bits_of_word; ++word) {
        const unsigned begin = std::max(select.low, word * bits_of_word);
        const unsigned end = std::min(select.high, word * bits_of_word + bits_of_word - 1);
        for (Place place : base[word]) {
            place.bits = {begin % bits_of_word, end - begin + 1, no_node, begin - select.low};
            result[0].push_back(place);
        }
    }
    return result;
}

/// One bit, at a position that may be computed during the run.
StepLowering::Places StepLowering::bit_places(const Places& base, const BoundSelect& select) {
    Places result(1);
    if (const auto constant = select.constant()) {
        for (Place place : base[static_cast<std::size_t>(*constant / bits_of_word)]) {
            place.bits = {static_cast<unsigned>(*constant % bits_of_word), 1, no_node, 0};
            result[0].push_back(place);
        }
        return result;
    }
    const Scalar count{64, false};
    const NodeId at = checked(select);
    for (std::size_t word = 0; word < base.size(); ++word)
        for (Place place : base[word]) {
            place.bits = {0, 1, at, 0};
            if (base.size() > 1) {
                const NodeId here =
                    b_.operation(Op::equal, {1, false},
                                 b_.operation(Op::shift_right, count, at, b_.constant(count, 6)),
                                 b_.constant(count, word));
                place.guard = b_.all_of(place.guard, here);
                place.bits.at =
                    b_.operation(Op::bit_and, count, at, b_.constant(count, bits_of_word - 1));
            }
            result[0].push_back(place);
        }
    return result;
}

Scalar StepLowering::scalar_of(const TargetKey& key) const {
    const auto of = [&](const Type& type) { return Scalar::of(*leaf_at(type, key.leaf).type); };
    if (key.is_memory)
        return of(*memories_.at(key.place)->type);
    const auto state = state_ports_.find(key.place);
    return of(state != state_ports_.end()
                  ? *state->second->type
                  : *std::prev(output_ports_.upper_bound(key.place))->second->type);
}

/// Replaces some bits of a scalar with those of a value.
NodeId StepLowering::inserted(const Place& place, const Targets& targets,
                              const GuardedValues& values) {
    const Scalar type = scalar_of(place.key), raw{type.width_bits, false};
    const Bits& bits = place.bits;
    check_bits(place.key, targets);
    const Assigned before = current(targets, place.key);
    NodeId whole = before.value;
    if (place.key.is_memory) { // a word not written by an enclosing line keeps the memory's value
        const Leaf leaf = leaf_at(*memories_.at(place.key.place)->type, place.key.leaf);
        const NodeId word =
            b_.leaf({Op::memory_read, type, place.key.word, place.key.place, no_node, leaf.offset});
        whole = b_.select(before.written, whole, word);
    }
    // bits of the value from `from` on may span two words
    const unsigned word = bits.from / bits_of_word, shift = bits.from % bits_of_word;
    const auto part = [&](unsigned k) {
        const Scalar own{b_.type(values[k].value).width_bits, false};
        return b_.convert({64, false}, b_.convert(own, values[k].value));
    };
    const Scalar wide{64, false};
    NodeId value = b_.operation(Op::shift_right, wide, part(word), b_.constant(wide, shift));
    if (shift != 0 && shift + bits.width > bits_of_word)
        value = b_.operation(Op::bit_or, wide, value,
                             b_.operation(Op::shift_left, wide, part(word + 1),
                                          b_.constant(wide, bits_of_word - shift)));
    value = b_.convert(raw, b_.convert({static_cast<std::uint8_t>(bits.width), false}, value));
    const NodeId position = bits.at != no_node ? bits.at : b_.constant({64, false}, bits.low);
    const NodeId others = b_.operation(Op::bit_and, raw, b_.convert(raw, whole),
                                       b_.operation(Op::complement, raw, position_mask(bits, raw)));
    return b_.convert(type, b_.operation(Op::bit_or, raw, others,
                                         b_.operation(Op::shift_left, raw, value, position)));
}

} // namespace sme::expr
