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

Bounds joined(const Bounds& a, const Bounds& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Returns conservative ranges of values of scalar types, or of integers without a type.
class BoundsFinder {
public:
    Bounds of(const BoundExpr& use, int depth = 6) {
        const BoundExpr& value = named_by(use);
        if (value.is_exact())
            return {value.low, value.high};
        const Scalar type = Scalar::of(*type_of(value));
        const Bounds whole = bounds_of(type);
        if (value.known) {
            const Integer number = type.is_signed ? Integer{static_cast<std::int64_t>(*value.known)}
                                                  : static_cast<Integer>(*value.known);
            return {number, number};
        }
        if (depth == 0 || visits_++ > max_visits)
            return whole;
        const std::optional<Bounds> found = of_operation(value, depth - 1);
        return found && within(*found, whole) ? *found : whole;
    }

private:
    static constexpr int max_visits = 1000;

    /// Returns the range that all operands from the first on have together, with this step.
    std::optional<Bounds> all(const BoundExpr& value, std::size_t first, std::size_t step,
                              int depth) {
        std::optional<Bounds> result;
        for (std::size_t k = first; k < value.operands.size(); k += step)
            if (value.operands[k]) { // else an arm that is never taken
                const Bounds each = of(*value.operands[k], depth);
                result = result ? joined(*result, each) : each;
            }
        return result;
    }

    /// Returns the range that the operation of a value gives, if it is known.
    std::optional<Bounds> of_operation(const BoundExpr& value, int depth) {
        using Kind = BoundExpr::Kind;
        switch (value.kind) {
        case Kind::fit:
        case Kind::cast: {
            const BoundExpr& from = *value.operands[0];
            const TypeRef& type = type_of(from);
            const bool is_one_word = type ? type->is_scalar() && !type->is_wide() : from.is_exact();
            return is_one_word ? std::optional{of(from, depth)} : std::nullopt;
        }
        case Kind::choice: {
            const std::optional<Bounds> arms = all(value, 1, 2, depth);
            return joined(*arms, of(*value.operands.back(), depth));
        }
        case Kind::match: return all(value, 1, 1, depth);
        case Kind::own_call: return of(*value.details->body_here->value, depth);
        case Kind::field:
        case Kind::element: {
            const BoundExpr* const source = source_of(value);
            if (source)
                return of(*source, depth);
            const BoundExpr& base = named_by(*value.operands[0]);
            return base.kind == Kind::array && value.operands.size() == 2 ? all(base, 0, 1, depth)
                                                                          : std::nullopt;
        }
        case Kind::folded: return of(*value.operands.back(), depth);
        case Kind::reduced: return of_reduced(value, depth);
        case Kind::binary: return of_binary(value, depth);
        default: return std::nullopt;
        }
    }

    /// sum, min and max; the others have no range of their own.
    std::optional<Bounds> of_reduced(const BoundExpr& value, int depth) {
        const std::string& name = value.ast->operands[0]->text;
        if (name != "sum" && name != "min" && name != "max")
            return std::nullopt;
        std::optional<Bounds> result;
        for (const BoundRef& operand : value.operands) {
            const Bounds each = of(*operand, depth);
            if (!result)
                result = each;
            else if (name == "sum")
                result = compute(Operator::add, *result, each);
            else if (name == "min")
                result = Bounds{std::min(result->low, each.low), std::min(result->high, each.high)};
            else
                result = Bounds{std::max(result->low, each.low), std::max(result->high, each.high)};
            if (!result)
                return std::nullopt;
        }
        return result;
    }

    std::optional<Bounds> of_binary(const BoundExpr& value, int depth) {
        const Operator op = value.ast->op;
        const BoundExpr &a = *value.operands[0], &b = *value.operands[1];
        if (op == Operator::shift_right) {
            const auto count =
                b.is_constant() ? std::optional{static_cast<std::uint64_t>(b.low)} : b.known;
            const Bounds x = of(a, depth);
            return count && *count < 64 ? Bounds{x.low >> *count, x.high >> *count} : x;
        }
        const bool is_known = op == Operator::add || op == Operator::subtract ||
                              op == Operator::multiply || op == Operator::remainder ||
                              op == Operator::bit_and;
        return is_known ? compute(op, of(a, depth), of(b, depth)) : std::nullopt;
    }

    int visits_ = 0;
};

/// Returns true if a number is chosen from a few literals, as in "if c then 1 else 0": it is then
/// as harmless as a literal. The index of a long search is not.
bool chooses_literals(const BoundExpr& of, std::size_t depth = 8) {
    using Kind = BoundExpr::Kind;
    const BoundExpr& value = named_by(of);
    if (value.is_constant())
        return true;
    if (depth == 0)
        return false;
    if (value.kind == Kind::reduced) {
        const std::string& name = value.ast->operands[0]->text;
        const auto is_open = [](const BoundRef& term) { return !term->known; };
        const auto open = std::count_if(value.operands.begin(), value.operands.end(), is_open);
        if (name != "min" && name != "max")
            return name == "first" && open <= static_cast<std::ptrdiff_t>(depth);
        return std::all_of(value.operands.begin(), value.operands.end(), [&](const BoundRef& each) {
            return chooses_literals(*each, depth - 1);
        });
    }
    if (value.kind != Kind::choice && value.kind != Kind::match)
        return false;
    const bool is_choice = value.kind == Kind::choice;
    for (std::size_t k = 1; k < value.operands.size(); k += is_choice ? 2 : 1)
        if (value.operands[k] && !chooses_literals(*value.operands[k], depth - 1))
            return false;
    return !is_choice || chooses_literals(*value.operands.back(), depth - 1);
}

} // namespace

void Elaborator::warn_of_wrap(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    const bool computes =
        ast.op == Operator::add || ast.op == Operator::subtract || ast.op == Operator::multiply;
    if (!computes || !ast.text.empty() || a.is_exact() == b.is_exact())
        return;
    const BoundExpr& index = a.is_exact() ? a : b;
    const BoundExpr& typed = a.is_exact() ? b : a;
    if (index.is_constant() ? !index.varies : chooses_literals(index))
        return;
    if (typed.form != Form::typed || !typed.type->is_integer() || typed.type->is_wide())
        return; // wide integers are identities and hashes rather than counts
    const Scalar type = Scalar::of(*typed.type);
    const Bounds operand = BoundsFinder{}.of(typed);
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
