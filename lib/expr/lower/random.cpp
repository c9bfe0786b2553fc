// SPDX-License-Identifier: Apache-2.0
//
// Random values: their bits, the loop that draws until a rule holds, and the choice by weights.
#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/lower/lowering.hpp"
#include "expr/syntax/printer.hpp"

namespace sme::expr {

namespace {

constexpr Scalar random_word{64, false};

/// Other bits in each step, from the bits of a cycle: those of the first draw, mixed.
NodeId drawn_again(NodeId first, NodeId step, Builder& b) {
    const auto constant = [&](std::uint64_t value) { return b.constant(random_word, value); };
    const auto folded = [&](NodeId x) {
        return b.operation(Op::bit_xor, random_word, x,
                           b.operation(Op::shift_right, random_word, x, constant(32)));
    };
    const auto times = [&](NodeId x, std::uint64_t factor) {
        return b.operation(Op::multiply, random_word, x, constant(factor));
    };
    const NodeId x = b.operation(Op::add, random_word, first,
                                 times(b.convert(random_word, step), 0x9e3779b97f4a7c15u));
    return folded(times(folded(times(folded(x), 0xd6e8feb86659fd93u)), 0xa24baed4963ee407u));
}

/// A value of a leaf of a type from 64 random bits; all members of an enumeration are equally
/// likely.
NodeId from_bits(const Type& type, NodeId bits, Builder& b) {
    if (type.kind() != TypeKind::enumeration)
        return b.convert(Scalar::of(type), bits);
    Table members{Scalar::of(type), {}};
    for (const Member& member : type.members())
        members.values.push_back(member.value);
    const NodeId at = b.operation(Op::remainder, random_word, bits,
                                  b.constant(random_word, members.values.size()));
    const Scalar member = members.type;
    return b.leaf({Op::table_read, member, at, b.add_table(std::move(members)), no_node, 0});
}

} // namespace

Lowering::Leaves Lowering::random(const BoundExpr& bound) {
    const RandomRef& random = *bound.random();
    const auto number = [&](Scalar type, std::uint64_t k) {
        return b_.leaf({Op::random, type, no_node, no_node, no_node, random.site + k});
    };
    if (!random.ends.empty())
        return weighted(bound, number(random_word, 0));
    Leaves result;
    for (const Leaf& leaf : bound.type->leaves()) {
        const bool needs_word = random.rule || leaf.type->kind() == TypeKind::enumeration;
        const NodeId bits =
            number(needs_word ? random_word : Scalar::of(*leaf.type), result.size());
        result.push_back(needs_word && !random.rule ? from_bits(*leaf.type, bits, b_) : bits);
    }
    return random.rule ? drawn_by_rule(bound, result) : result;
}

/// A loop that draws until the rule holds. `bits`: of the first draw, for each scalar. In a draw
/// after that, the rule is not evaluated.
Lowering::Leaves Lowering::drawn_by_rule(const BoundExpr& bound, const Leaves& bits) {
    const RandomRef& random = *bound.random();
    if (!random.loop->results.empty())
        return random.loop->results;
    const std::size_t nodes_before = b_.size();
    const std::vector<Leaf> places = bound.type->leaves();
    Loop loop = begin_loop(*random.loop);
    const NodeId found = b_.carried({1, false});
    loop.carried = {{found, b_.boolean(false), no_node}};
    for (std::size_t k = 0; k < bits.size(); ++k) {
        const Type& leaf = *places[k].type;
        const NodeId drawn = from_bits(leaf, drawn_again(bits[k], loop.step, b_), b_);
        const NodeId kept = b_.carried(Scalar::of(leaf));
        loop.carried.push_back(
            {kept, b_.constant(Scalar::of(leaf), 0), b_.select(found, kept, drawn)});
        random.drawn->leaves.push_back(drawn);
    }
    loop.carried[0].next = b_.any_of(found, leaves(*random.rule)[0]);
    loop.until = 0;
    Leaves result = end_loop(*random.loop, std::move(loop), nodes_before);
    const NodeId missed = b_.logical_not(result[0]);
    result.erase(result.begin());
    const Ast& rule = *bound.ast->operands[2]->operands[0];
    for (NodeId& leaf : result)
        leaf = b_.checked(leaf, missed,
                          {Code::assumption_unmet, rule.where,
                           fmt::format("none of {} draws of {} met '{}'", max_draws,
                                       bound.type->name(), print(rule))});
    return random.loop->results = result;
}

Lowering::Leaves Lowering::weighted(const BoundExpr& bound, NodeId number) {
    const RandomRef& random = *bound.random();
    const NodeId at = b_.operation(Op::remainder, random_word, number,
                                   b_.constant(random_word, random.ends.back()));
    Leaves result = leaves_for(*random.values.back(), bound);
    for (std::size_t k = random.ends.size() - 1; k-- > 0;)
        result =
            select(b_.operation(Op::less, {1, false}, at, b_.constant(random_word, random.ends[k])),
                   leaves_for(*random.values[k], bound), result);
    return result;
}

} // namespace sme::expr
