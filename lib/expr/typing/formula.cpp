// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/formula.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "expr/bound/bound.hpp"
#include "expr/program/apply.hpp"
#include "expr/program/parts.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

namespace {

/// Returns true if formulas support the operation. Initial values use no operations of processes
/// and loops.
bool is_known(Op op) {
    return is_value(op) || op == Op::constant || op == Op::index || op == Op::table_read ||
           op == Op::checked;
}

} // namespace

std::optional<Formula> Formula::of(const Ast& ast, const TypeRef& type,
                                   const std::vector<Index>& indices, Scope& scope) {
    if (!type->is_scalar() || type->is_wide())
        return std::nullopt;
    Formula result;
    Builder& builder = result.builder_;
    Diagnostics quiet;
    Elaborator elaborator{builder, scope, quiet};
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const Range& range = indices[k].range;
        const std::optional<Scalar> own = scalar_between(range.low, range.high);
        if (!own)
            return std::nullopt;
        const NodeId node = builder.leaf({Op::index, *own, no_node, no_node, no_node, k});
        elaborator.bind(indices[k].name, BoundExpr::between(node, range.low, range.high));
    }
    Fuel& fuel = scope.fuel();
    const Fuel before = fuel; // restored below: the elaborator charges and warns in a fallback
    const BoundExpr value = elaborator.loaded(elaborator.evaluate(ast, type), ast.where);
    const bool finished = result.finish(
        value.is_exact() ? value : elaborator.fit(value, type, ast.where, "it"), *type);
    result.fuel_ = before.left - fuel.left;
    fuel = before;
    return finished ? std::optional{std::move(result)} : std::nullopt;
}

/// Takes the value as the result; a number without a type may fit for some indices only.
bool Formula::finish(const BoundExpr& value, const Type& type) {
    if (!value.ok() || builder_.size() > max_nodes || (value.is_exact() && !type.is_integer()))
        return false;
    const Scalar scalar = Scalar::of(type);
    fits_ = {smallest(scalar.width_bits, scalar.is_signed),
             largest(scalar.width_bits, scalar.is_signed)};
    if (!value.is_exact())
        result_ = value.leaves[0];
    else if (!value.is_constant())
        result_ = value.leaves[0];
    else if (const std::optional<Scalar> own = scalar_between(value.low, value.low))
        result_ = builder_.constant(*own, static_cast<std::uint64_t>(value.low));
    else
        return false;
    entered_.resize(builder_.size());
    known_.resize(builder_.size());
    // a check that the result does not use is left to the elaborator, unless a check at the same
    // place is used: the scalars of one element share a place
    std::set<std::uint32_t> looked_at;
    const auto place = [&](const Node& node) {
        return builder_.program().sites[node.immediate].where.begin;
    };
    visit_nodes({result_}, [&](NodeId id, std::vector<NodeId>& open) {
        const Node& node = builder_.node(id);
        if (node.op == Op::checked)
            looked_at.insert(place(node));
        if (node.op == Op::constant)
            known_[id].value = node.immediate;
        else
            order_.push_back(id);
        leaves_out_ = leaves_out_ || node.op == Op::select || node.op == Op::logical_and ||
                      node.op == Op::logical_or;
        for_each_operand(node, [&](NodeId operand) { open.push_back(operand); });
    });
    for (NodeId id = 0; id < builder_.size(); ++id) {
        const Node& node = builder_.node(id);
        if (!is_known(node.op) || (node.op == Op::checked && !looked_at.contains(place(node))))
            return false;
    }
    std::sort(order_.begin(), order_.end());
    return true;
}

std::optional<std::uint64_t> Formula::evaluate(std::span<const std::int64_t> indices) {
    indices_ = indices;
    ++evaluation_;
    failed_ = false;
    if (!leaves_out_)
        for (const NodeId id : order_)
            known_[id].value =
                computed(builder_.node(id), [&](NodeId of) { return known_[of].value; });
    const std::uint64_t found = leaves_out_ ? value(result_) : known_[result_].value;
    const Integer number = builder_.type(result_).is_signed
                               ? Integer{static_cast<std::int64_t>(found)}
                               : static_cast<Integer>(found);
    return failed_ || number < fits_.low || number > fits_.high ? std::nullopt
                                                                : std::optional{found};
}

std::uint64_t Formula::value(NodeId id) {
    const Node& node = builder_.node(id);
    if (node.op == Op::constant)
        return node.immediate;
    Known& known = known_[id];
    if (known.evaluation == evaluation_)
        return known.value;
    std::uint64_t found = 0;
    switch (node.op) {
    case Op::select:
        found = value(node.a) ? part(node.b, id, false) : part(node.c, id, true);
        break;
    case Op::logical_and: found = value(node.a) ? part(node.b, id, true) : 0; break;
    case Op::logical_or: found = value(node.a) ? 1 : part(node.b, id, true); break;
    default: found = computed(node, [&](NodeId of) { return value(of); }); break;
    }
    known = {evaluation_, found};
    return found;
}

/// Returns the value of an operand that the operation may skip.
std::uint64_t Formula::part(NodeId id, NodeId of, bool second) {
    const auto bit = static_cast<std::uint8_t>(second ? 2 : 1);
    failed_ = failed_ || (entered_[of] & bit) == 0;
    entered_[of] |= bit;
    return value(id);
}

/// Computes an operation that needs all its operands.
template <class Operand> std::uint64_t Formula::computed(const Node& node, Operand operand) {
    switch (node.op) {
    case Op::index: return static_cast<std::uint64_t>(indices_[node.immediate]);
    case Op::checked:
        if (operand(node.b) != 0)
            failed_ = true;
        return operand(node.a);
    case Op::table_read: {
        const std::vector<std::uint64_t>& values = builder_.program().tables[node.b].values;
        const std::uint64_t place = operand(node.a);
        return values[place < values.size() ? place : 0];
    }
    case Op::convert: return canonical(operand(node.a), node.type.width_bits, node.type.is_signed);
    default:
        return sme::expr::evaluate(node.op, node.type, builder_.type(node.a), operand(node.a),
                                   node.b == no_node ? 0 : operand(node.b), 0);
    }
}

// An index combined with a typed operand takes its type, and typed results wrap. A result that can
// leave the type causes a warning.

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

void Elaborator::warn_of_wrap(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    const bool computes =
        ast.op == Operator::add || ast.op == Operator::subtract || ast.op == Operator::multiply;
    if (!computes || !ast.text.empty() || a.is_exact() == b.is_exact())
        return;
    const BoundExpr& index = a.is_exact() ? a : b;
    const BoundExpr& typed = a.is_exact() ? b : a;
    if (index.is_constant() ? !index.varies : chooses_literals(builder_, lowered(index).leaves[0]))
        return;
    if (typed.form != Form::typed || !typed.type->is_integer() || typed.type->is_wide())
        return; // wide integers are identities and hashes rather than counts
    const Scalar type = Scalar::of(*typed.type);
    const Bounds operand = NodeBounds{builder_}.of(lowered(typed).leaves[0]);
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
