// SPDX-License-Identifier: Apache-2.0
#include "expr/lower/lowering.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"

namespace sme::expr {

namespace {

bool needs_nodes(const BoundExpr& bound) {
    return bound.leaves.empty() &&
           (bound.form == Form::typed || (bound.is_exact() && !bound.is_constant()));
}

/// Returns the part with this number that comes before the whole: its value by name, or an
/// operand. A null pointer is an operand that is missing; `nullopt`: there are no more parts. The
/// body of a loop is no such part.
std::optional<const BoundExpr*> part_before(const BoundExpr& bound, std::size_t number) {
    using Kind = BoundExpr::Kind;
    if (number == 0)
        return bound.named().get();
    if (bound.kind == Kind::own_call)
        return number == 1 ? std::optional{bound.details->body_here->value.get()} : std::nullopt;
    const bool is_loop = bound.kind == Kind::loop || bound.kind == Kind::folded_loop;
    return is_loop || number > bound.operands.size()
               ? std::nullopt
               : std::optional{bound.operands[number - 1].get()};
}

/// Returns where a value is written, or else its first operand that is written.
Location place_of(const BoundExpr& bound) {
    const BoundExpr* value = &bound;
    while (!value->ast && !value->operands.empty() && value->operands[0])
        value = value->operands[0].get();
    return value->ast ? value->ast->where : Location{};
}

} // namespace

TooLarge too_many_operations(const Location& where) {
    return {where, fmt::format("this needs more than {} operations a cycle; use smaller ranges",
                               Fuel::max_operations)};
}

/// Parts come before the whole: long chains of lets would otherwise need a deep stack.
const Lowering::Leaves& Lowering::leaves(const BoundExpr& use) {
    const BoundExpr& bound = named_by(use);
    if (!bound.leaves.empty())
        return bound.leaves;
    struct Open {
        const BoundExpr* value;
        std::size_t next = 0; // part
    };
    std::vector<Open> open{{&bound}};
    while (!open.empty()) {
        const BoundExpr& value = *open.back().value;
        if (const auto part = part_before(value, open.back().next)) {
            ++open.back().next;
            if (*part && needs_nodes(named_by(**part)))
                open.push_back({&named_by(**part)});
            continue;
        }
        if (value.leaves.empty())
            value.leaves = made(value);
        if (b_.size() > fuel_.most_operations())
            throw too_many_operations(place_of(value));
        open.pop_back();
    }
    return bound.leaves;
}

Lowering::Leaves Lowering::made(const BoundExpr& bound) {
    using Kind = BoundExpr::Kind;
    if (bound.known && !bound.type->is_wide())
        return {b_.constant(Scalar::of(*bound.type), *bound.known)};
    if (bound.named()) // also a member of a family
        return leaves(*bound.named());
    switch (bound.kind) {
    case Kind::leaf: return leaf(bound);
    case Kind::unary: return unary(bound);
    case Kind::binary:
        return is_logical(bound.ast->op) ? logical(bound)
                                         : operation(bound.ast->op, bound.ast->where,
                                                     *bound.operands[0], *bound.operands[1]);
    case Kind::element: return element(bound);
    case Kind::slice: return slice(bound);
    case Kind::field: return field(bound);
    case Kind::choice: return choice(bound);
    case Kind::match: return match(bound);
    case Kind::fit: return leaves_as(*bound.operands[0], *bound.type);
    case Kind::cast: return cast(bound);
    case Kind::call: return call(bound);
    case Kind::construct:
    case Kind::record:
    case Kind::array: return construct(bound);
    case Kind::own_call: return leaves_for(*bound.details->body_here->value, bound);
    case Kind::reduced: return reduced(bound);
    case Kind::folded: return leaves_for(*bound.operands.back(), bound);
    case Kind::loop: return loop(bound);
    case Kind::folded_loop: break;
    }
    return folded_loop(bound);
}

Lowering::Leaves Lowering::leaf(const BoundExpr& bound) {
    if (bound.slot())
        return loads(*bound.slot());
    if (bound.index())
        return {
            b_.leaf({Op::index, scalar_between(bound.low, bound.high).value_or(Scalar{64, true}),
                     no_node, no_node, no_node, bound.index()->dimension})};
    if (bound.loop_value())
        return {loop_index(bound)};
    if (bound.random())
        return random(bound);
    if (bound.cycle())
        return {b_.leaf({Op::cycle, {64, false}, no_node, no_node, no_node, 0})};
    if (bound.constants())
        return constants(*bound.constants());
    if (bound.memory())
        return loaded(*bound.memory(), words_of(bound), nullptr);
    if (bound.is_constant())
        return {number(bound, scalar_between(bound.low, bound.high).value_or(Scalar{64, true}))};
    return {b_.constant(Scalar::of(*bound.type), bound.known.value())};
}

Lowering::Leaves Lowering::loads(const SlotRef& slot) {
    const auto load = [&](std::uint32_t port, Scalar type, std::uint64_t offset) {
        return b_.leaf({Op::load, type, port, no_node, no_node, offset});
    };
    const auto loads_of = [&](std::uint32_t port, const Type& type) {
        Leaves result;
        for (const Leaf& leaf : type.leaves())
            result.push_back(load(port, Scalar::of(*leaf.type), leaf.offset));
        return result;
    };
    Leaves forward = loads_of(slot.port, *slot.type);
    const std::vector<Leaf> places = slot.type->leaves();
    for (std::size_t k = 0; slot.is_marked && k < places.size(); ++k)
        forward[k] = b_.checked(
            forward[k], b_.logical_not(load(slot.port, {1, false}, slot.type->size() + k)),
            {Code::read_unwritten, slot.declared,
             fmt::format("it reads '{}{}', which was not written", slot.name, places[k].path)});
    if (!slot.bundle)
        return forward;
    Leaves result;
    auto next = forward.begin();
    auto back = slot.reverse_fields.begin();
    for (const Field& field : slot.bundle->fields())
        if (field.back) {
            const Leaves own = loads_of(back->first, *back->second);
            result.insert(result.end(), own.begin(), own.end());
            ++back;
        } else {
            const auto end = next + static_cast<std::ptrdiff_t>(field.type->leaf_count());
            result.insert(result.end(), next, end);
            next = end;
        }
    return result;
}

Lowering::Leaves Lowering::constants(const ConstantArray& array) {
    Leaves result;
    const std::vector<Leaf> places = array.type->leaves();
    for (std::size_t k = 0; k < places.size(); ++k)
        result.push_back(b_.constant(Scalar::of(*places[k].type), array.leaves[k]));
    return result;
}

NodeId Lowering::number(const BoundExpr& bound, Scalar type) {
    return bound.is_constant() ? b_.constant(type, static_cast<std::uint64_t>(bound.low))
                               : b_.convert(type, leaves(bound)[0]);
}

NodeId Lowering::scalar_as(const BoundExpr& bound, const Type& type) {
    if (!bound.is_number())
        return leaves(bound)[0];
    return bound.is_exact() ? number(bound, Scalar::of(type))
                            : b_.constant(Scalar::of(type), bound.words()->front());
}

Lowering::Leaves Lowering::leaves_as(const BoundExpr& bound, const Type& type) {
    if (!bound.is_number())
        return leaves(bound);
    if (!type.is_wide())
        return {scalar_as(bound, type)};
    const auto width = static_cast<unsigned>(type.width_bits());
    WideBuilder wide{b_};
    if (!bound.is_exact())
        return wide.constant(width, *bound.words()).words;
    if (bound.is_constant())
        return wide.constant(width, integer_words(bound.low, width)).words;
    const NodeId node = leaves(bound)[0];
    return wide.resize(wide.of(node), width, b_.type(node).is_signed).words;
}

Lowering::Leaves Lowering::leaves_for(const BoundExpr& value, const BoundExpr& result) {
    return result.type ? leaves_as(value, *result.type)
                       : Leaves{number(value, *scalar_between(result.low, result.high))};
}

Bits Lowering::bits_of(const Leaves& leaves, const Type& type) {
    if (type.is_wide())
        return {static_cast<unsigned>(type.width_bits()), leaves};
    return WideBuilder{b_}.of(leaves[0]);
}

Lowering::Leaves Lowering::integer_of(const Bits& bits, const Type& type) {
    if (type.is_wide())
        return bits.words;
    return {b_.convert(Scalar::of(type), bits.words[0])};
}

Lowering::Leaves Lowering::select(NodeId condition, const Leaves& yes, const Leaves& no) {
    Leaves result;
    for (std::size_t k = 0; k < yes.size(); ++k)
        result.push_back(yes[k] == no[k] ? yes[k] : b_.select(condition, yes[k], no[k]));
    return result;
}

/// From the last arm to the first: each select contains the arms after it.
Lowering::Leaves Lowering::choice(const BoundExpr& bound) {
    Leaves result = leaves_for(*bound.operands.back(), bound);
    for (std::size_t k = bound.operands.size() - 1; k > 0; k -= 2)
        result = select(leaves(*bound.operands[k - 2])[0],
                        leaves_for(*bound.operands[k - 1], bound), result);
    return result;
}

} // namespace sme::expr
