// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/formula.hpp"

#include <algorithm>
#include <set>

#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "expr/bound/bound.hpp"
#include "expr/program/apply.hpp"
#include "expr/program/parts.hpp"
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
    elaborator.lower_all(); // every check counts
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

} // namespace sme::expr
