// SPDX-License-Identifier: Apache-2.0
//
// The initial values of states, as nodes.
#include "expr/process/reset.hpp"

#include <cstring>

#include "bits/integer.hpp"

namespace sme::expr {

namespace {

std::uint64_t scalar_at(const std::byte* slot, const Leaf& leaf) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, slot + leaf.offset, leaf.type->size());
    const Scalar type = Scalar::of(*leaf.type);
    return canonical(bits, type.width_bits, type.is_signed);
}

/// Returns the flat position of the instance in the full index space of its family.
NodeId instance_node(Builder& builder, const ProcessView& text) {
    const Scalar word{64, false}, index{64, true};
    NodeId flat = builder.constant(word, 0);
    for (std::size_t d = 0; d < text.index_count.size(); ++d) {
        const NodeId value = builder.leaf({Op::index, index, no_node, no_node, no_node, d});
        const NodeId place = builder.convert(
            word, builder.operation(
                      Op::subtract, index, value,
                      builder.constant(index, static_cast<std::uint64_t>(text.index_low[d]))));
        flat = builder.operation(Op::add, word,
                                 builder.operation(Op::multiply, word, flat,
                                                   builder.constant(word, text.index_count[d])),
                                 place);
    }
    return flat;
}

} // namespace

NodeId initial_node(Builder& builder, const ProcessView& text, const StateText& state,
                    const Leaf& leaf) {
    const Scalar type = Scalar::of(*leaf.type);
    if (state.initial.empty())
        return builder.constant(type, 0);
    const std::size_t each = state.type->size();
    if (state.initial.size() == each)
        return builder.constant(type, scalar_at(state.initial.data(), leaf));
    std::uint64_t box = 1;
    for (const std::uint64_t count : text.index_count)
        box *= count;
    Table table{type, std::vector<std::uint64_t>(box)};
    for (std::size_t member = 0; member * each < state.initial.size(); ++member)
        table.values[text.kept.empty() ? member : text.kept[member]] =
            scalar_at(state.initial.data() + member * each, leaf);
    const std::uint32_t number = builder.add_table(std::move(table));
    return builder.leaf({Op::table_read, type, instance_node(builder, text), number, no_node, 0});
}

} // namespace sme::expr
