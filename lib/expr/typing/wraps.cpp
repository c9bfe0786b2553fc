// SPDX-License-Identifier: Apache-2.0
//
// An index combined with a typed operand takes its type, and typed results wrap. A result that can
// leave the type causes a warning.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/exact.hpp"

namespace sme::expr {

namespace {

using Bounds = Range;

bool within(const Bounds& inner, const Bounds& outer) {
    return inner.low >= outer.low && inner.high <= outer.high;
}

Bounds bounds_of(Scalar type) {
    return {smallest(type.width_bits, type.is_signed), largest(type.width_bits, type.is_signed)};
}

/// Computes a conservative range of a node from its operations.
class NodeBounds {
public:
    explicit NodeBounds(const Builder& builder) : builder_{builder} {}

    Bounds of(NodeId id, int depth = 6) const {
        const Node& node = builder_.node(id);
        const Bounds whole = bounds_of(node.type);
        if (const auto known = builder_.constant_value(id)) {
            const Integer value = node.type.is_signed ? Integer{static_cast<std::int64_t>(*known)}
                                                      : static_cast<Integer>(*known);
            return {value, value};
        }
        if (depth == 0)
            return whole;
        const Bounds found = of_operation(id, whole, depth - 1);
        return within(found, whole) ? found : whole;
    }

private:
    Bounds of_operation(NodeId id, const Bounds& whole, int depth) const {
        const Node& node = builder_.node(id);
        switch (node.op) {
        case Op::convert:
        case Op::checked: return of(node.a, depth);
        case Op::select: {
            const Bounds yes = of(node.b, depth), no = of(node.c, depth);
            return {std::min(yes.low, no.low), std::max(yes.high, no.high)};
        }
        case Op::step: return {0, static_cast<Integer>(builder_.steps_of(id)) - 1};
        case Op::popcount: return {0, Integer{builder_.type(node.a).width_bits}};
        case Op::shift_right: {
            const auto count = builder_.constant_value(node.b);
            const Bounds a = of(node.a, depth);
            return count && *count < 64 ? Bounds{a.low >> *count, a.high >> *count} : a;
        }
        case Op::add: return computed(Operator::add, node, depth).value_or(whole);
        case Op::subtract: return computed(Operator::subtract, node, depth).value_or(whole);
        case Op::multiply: return computed(Operator::multiply, node, depth).value_or(whole);
        case Op::remainder: return computed(Operator::remainder, node, depth).value_or(whole);
        case Op::bit_and: return computed(Operator::bit_and, node, depth).value_or(whole);
        default: return is_comparison(node.op) ? Bounds{0, 1} : whole;
        }
    }

    std::optional<Bounds> computed(Operator op, const Node& node, int depth) const {
        return compute(op, of(node.a, depth), of(node.b, depth));
    }

    const Builder& builder_;
};

/// Returns true if a node chooses between a few literals, as in "if c then 1 else 0": it is then as
/// harmless as a literal. The index of a long search is not.
bool chooses_literals(const Builder& builder, NodeId id, int depth = 8) {
    const Node& node = builder.node(id);
    if (node.op == Op::constant)
        return true;
    if (depth == 0)
        return false;
    if (node.op == Op::convert)
        return chooses_literals(builder, node.a, depth - 1);
    return node.op == Op::select && chooses_literals(builder, node.b, depth - 1) &&
           chooses_literals(builder, node.c, depth - 1);
}

} // namespace

void Elaborator::warn_of_wrap(const Ast& ast, const Value& a, const Value& b) {
    const bool computes =
        ast.op == Operator::add || ast.op == Operator::subtract || ast.op == Operator::multiply;
    if (!computes || !ast.text.empty() || a.is_exact() == b.is_exact())
        return;
    const Value& index = a.is_exact() ? a : b;
    const Value& typed = a.is_exact() ? b : a;
    if (index.is_constant() ? !index.varies : chooses_literals(builder_, index.node))
        return;
    if (typed.kind != Value::Kind::typed || !typed.type->is_integer() || typed.type->is_wide())
        return; // wide integers are identities and hashes rather than counts
    const Scalar type = Scalar::of(*typed.type);
    const Bounds operand = NodeBounds{builder_}.of(typed.leaves[0]);
    const Bounds exact{index.low, index.high};
    const auto result =
        a.is_exact() ? compute(ast.op, exact, operand) : compute(ast.op, operand, exact);
    if (!result || within(*result, bounds_of(type)) || !within(exact, bounds_of(type)))
        return;
    if (!scope_.fuel().wraps.insert({ast.where.source.get(), ast.where.begin}).second)
        return;
    const char* const side = a.is_exact() ? "right" : "left";
    const TypeRef wide =
        narrowest_type(std::min(result->low, operand.low), std::max(result->high, operand.high));
    diagnostics_.add(
        Code::index_wraps, ast.where,
        fmt::format("this can be {} to {}, but wraps as {}, the type of the {} operand; "
                    "write {}{}(...) around the other one to let it wrap",
                    to_string(result->low), to_string(result->high), typed.type->name(), side,
                    wide ? fmt::format("{}(...) around that, or ", wide->name()) : "",
                    typed.type->name()));
}

} // namespace sme::expr
