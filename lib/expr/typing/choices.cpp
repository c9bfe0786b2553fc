// SPDX-License-Identifier: Apache-2.0
//
// Choices between values: if, and selection by a condition.
#include <algorithm>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

Value Elaborator::conditional(const Ast& ast, const TypeRef& wanted) {
    std::vector<const Ast*> conditions;
    for (std::size_t k = 0; k + 1 < ast.operands.size(); k += 2)
        conditions.push_back(ast.operands[k].get());
    const auto arm = [&](std::size_t k, NodeId, const TypeRef& type) {
        const Ast& chosen = *ast.operands[std::min(2 * k + 1, ast.operands.size() - 1)];
        return loaded(evaluate(chosen, wanted ? wanted : type), chosen.where);
    };
    conditions.push_back(nullptr);
    return first_of(conditions, arm, ast.where);
}

Value Elaborator::first_of(const std::vector<const Ast*>& conditions, const Arm& arm,
                           const Location& where) {
    std::vector<std::pair<Value, std::size_t>> open;
    std::size_t last = conditions.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
        Value condition = truth(*conditions[k], "a condition");
        if (!condition.ok())
            return {};
        const auto known = builder_.constant_value(condition.leaves[0]);
        if (known == std::uint64_t{1})
            last = k;
        else if (!known) // an arm that is never selected is not evaluated
            open.emplace_back(std::move(condition), k);
    }
    // from the last arm to the first: each select contains the arms after it
    Value result = arm(last, builder_.boolean(true), {});
    std::vector<TypedRef> operands;
    keep(operands, result);
    for (std::size_t k = open.size(); k-- > 0;) {
        const NodeId condition = open[k].first.leaves[0];
        const Value other = arm(open[k].second, condition, result.type);
        result = select(condition, other, result, where);
        keep(operands, other);
        keep(operands, open[k].first);
    }
    if (operands.size() < 2)
        return result;
    std::reverse(operands.begin(), operands.end());
    return with_tree(std::move(result), Typed::Kind::choice, nullptr, std::move(operands));
}

Value Elaborator::select(NodeId condition, const Value& yes, const Value& no,
                         const Location& where) {
    if (!yes.ok() || !no.ok())
        return {};
    if (yes.is_number() && no.is_number() && !(yes.is_exact() && no.is_exact())) {
        if (const auto known = builder_.constant_value(condition))
            return *known ? yes : no;
        return fail(Code::needs_type, where,
                    "these numbers do not fit 64 bits together; give them a type");
    }
    if (yes.is_exact() && no.is_exact()) {
        if (const auto known = builder_.constant_value(condition))
            return *known ? yes : no;
        const Integer low = std::min(yes.low, no.low);
        const Integer high = std::max(yes.high, no.high);
        if (low == high)
            return yes;
        const std::optional<Scalar> type = scalar_between(low, high);
        if (!type)
            return fail(Code::needs_type, where,
                        "these numbers do not fit 64 bits together; give them a type");
        return Value::between(
            builder_.select(condition, exact_node(yes, *type).first, exact_node(no, *type).first),
            low, high);
    }
    const TypeRef type = yes.is_number() ? no.type : yes.type;
    const Value a = fit(yes, type, where, "the other arm");
    const Value b = fit(no, type, where, "the other arm");
    if (!a.ok() || !b.ok())
        return {};
    if (!spend(50 * a.leaves.size(), where))
        return {};
    std::vector<NodeId> leaves;
    for (std::size_t k = 0; k < a.leaves.size(); ++k)
        leaves.push_back(a.leaves[k] == b.leaves[k]
                             ? a.leaves[k]
                             : builder_.select(condition, a.leaves[k], b.leaves[k]));
    return Value::of(type, std::move(leaves));
}

} // namespace sme::expr
