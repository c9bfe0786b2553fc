// SPDX-License-Identifier: Apache-2.0
#include "expr/lower/lowering.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"

namespace sme::expr {

namespace {

bool needs_nodes(const BoundExpr& bound) {
    return bound.leaves.empty() &&
           (bound.form == Form::typed || (bound.is_exact() && !bound.is_constant()));
}

/// Adds the named values in the body of a loop that do not depend on the loop, each once.
void add_outside(const BoundExpr& body, std::uint64_t loop, std::vector<const BoundExpr*>& into) {
    std::vector<const BoundExpr*> open{&body};
    std::set<const BoundExpr*> known{&body};
    while (!open.empty()) {
        const BoundExpr& next = *open.back();
        open.pop_back();
        const auto add = [&](const BoundRef& part) {
            if (part && known.insert(part.get()).second)
                open.push_back(part.get());
        };
        if (const BoundRef& named = next.named()) {
            if (named->loops >= loop) // on this loop, or on one within it
                add(named);
            else if (known.insert(named.get()).second)
                into.push_back(named.get());
        }
        for (auto operand = next.operands.rbegin(); operand != next.operands.rend(); ++operand)
            add(*operand);
        if (next.more().body_here)
            add(next.more().body_here->value);
    }
}

/// Returns the parts whose nodes come before those of the whole, in the order in which they were
/// bound: the value by name, and the operands. Of a loop, its body comes within it.
std::vector<const BoundExpr*> parts_before(const BoundExpr& bound) {
    using Kind = BoundExpr::Kind;
    std::vector<const BoundExpr*> parts{bound.named().get()};
    const std::vector<BoundRef>& operands = bound.operands;
    const std::size_t count = operands.size();
    switch (bound.kind) {
    case Kind::choice:
        for (std::size_t k = 0; k + 1 < count; k += 2)
            parts.push_back(operands[k].get());
        parts.push_back(operands.back().get());
        for (std::size_t k = count - 1; k > 0; k -= 2)
            parts.push_back(operands[k - 1].get());
        break;
    case Kind::loop:
    case Kind::folded_loop:
        if (bound.kind == Kind::folded_loop)
            parts.push_back(operands[count - 2].get());
        add_outside(*operands.back(), loop_bit(*bound.details->loop), parts);
        break;
    default:
        for (const BoundRef& operand : operands)
            parts.push_back(operand.get());
        if (bound.kind == Kind::own_call)
            parts.push_back(bound.details->body_here->value.get());
    }
    return parts;
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
        std::vector<const BoundExpr*> parts;
        std::size_t next = 0; // part
    };
    std::vector<Open> open;
    const auto begin = [&](const BoundExpr& value) {
        if (value.kind == BoundExpr::Kind::leaf)
            value.leaves = made(value);
        else
            open.push_back({&value, parts_before(value)});
    };
    begin(bound);
    while (!open.empty()) {
        Open& top = open.back();
        if (top.next < top.parts.size()) {
            const BoundExpr* const part = top.parts[top.next++];
            if (part && needs_nodes(named_by(*part)))
                begin(named_by(*part));
            continue;
        }
        const BoundExpr& value = *top.value;
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
