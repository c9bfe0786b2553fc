// SPDX-License-Identifier: Apache-2.0
//
// Random values: random(T), with a rule or without, and random(weight, value, ...).
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

/// random(T): each scalar has its own bits.
BoundExpr Calls::random(const Ast& ast) {
    if (ast.operands.size() > 2 && ast.operands[2]->kind != Ast::Kind::named)
        return weighted(ast);
    const TypeRef type = e_.type(*ast.operands[1]);
    if (!type || !may_be_random(ast))
        return {};
    if (type->leaf_count() > Elaborator::max_leaves)
        return e_.fail(Code::too_large, ast.where,
                       fmt::format("a value can have at most {} scalars", Elaborator::max_leaves));
    RandomRef result;
    result.site = e_.builder_.random_sites();
    e_.builder_.set_random_sites(result.site + type->leaf_count());
    if (ast.operands.size() > 2 && !bind_rule(ast, type, result))
        return {};
    return random_value(BoundExpr::of(type), std::move(result));
}

bool Calls::may_be_random(const Ast& ast) {
    Builder& b = e_.builder_;
    if (!e_.scope_.allows_random()) {
        e_.fail(Code::bad_call, ast.where,
                "random(...) has a value only in the step and the lets of a process");
        return false;
    }
    if (b.loops().open == 0)
        return true;
    e_.fail(Code::bad_call, ast.where,
            fmt::format("{} steps and more are a loop, and random(...) would be one number in all "
                        "of them; name it with 'let', or make fewer steps",
                        b.loops().from));
    return false;
}

BoundExpr Calls::random_value(const BoundExpr& like, RandomRef random) {
    BoundExpr result =
        like.type ? BoundExpr::of(like.type) : BoundExpr::between(like.low, like.high);
    for (const BoundRef& value : random.values)
        result.depend_on(*value);
    result.in_run = true;
    result.may_fault = result.may_fault || random.rule;
    result.what = std::make_shared<const RandomRef>(std::move(random));
    arguments_.clear(); // exporters know it as one random value
    return result;
}

/// random(T) x where rule: a loop that draws until the rule holds.
bool Calls::bind_rule(const Ast& ast, const TypeRef& type, RandomRef& random) {
    const Ast& rule = *ast.operands[2];
    if (ast.operands.size() > 3) {
        e_.fail(Code::bad_call, ast.where,
                "this is written random(type), random(weight, value, ...), or "
                "'random(type) x where' and a condition on x");
        return false;
    }
    if (e_.is_known(rule.text)) {
        e_.fail(
            Code::bad_name, rule.where,
            fmt::format("'{}' is declared already; give the random value another name", rule.text));
        return false;
    }
    const std::string index = "a draw"; // no name of the user's
    const std::uint64_t longest = e_.builder_.loops().longest;
    LoopFrame frame{e_, {{index, 0, max_draws}}, ast.where};
    e_.unbind(index);
    BoundExpr drawn = BoundExpr::of(type);
    drawn.loops = loop_bit(*frame.loop());
    random.drawn = std::make_shared<const BoundExpr>(std::move(drawn));
    BoundExpr named = BoundExpr::of(type);
    named.what = random.drawn;
    e_.bind(rule.text, std::move(named));
    BoundExpr holds = e_.bound_truth(*rule.operands[0], "a rule");
    e_.unbind(rule.text);
    if (!holds.ok())
        return false;
    random.rule = e_.operand(std::move(holds));
    random.loop = frame.loop();
    frame.close();
    e_.builder_.loops().longest = longest; // it cannot be unrolled, so it does not count
    return frame.charge(false);
}

/// random(weight, value, ...): one of the values, each as often as its share of all weights.
BoundExpr Calls::weighted(const Ast& ast) {
    if (ast.operands.size() % 2 == 0)
        return e_.fail(
            Code::bad_call, ast.where,
            "this is written random(type), or random(weight, value, weight, value, ...)");
    if (!may_be_random(ast))
        return {};
    constexpr Integer most = Integer{1} << 32;
    RandomRef random;
    Integer sum = 0;
    for (std::size_t k = 1; k < ast.operands.size(); k += 2) {
        const std::optional<Integer> weight = e_.constant(*ast.operands[k], "a weight");
        if (!weight)
            return {};
        if (*weight < 0 || *weight > most)
            return e_.fail(Code::bad_call, ast.operands[k]->where,
                           fmt::format("a weight is from 0 to {}, but this is {}", to_string(most),
                                       to_string(*weight)));
        sum += *weight;
        random.ends.push_back(static_cast<std::uint64_t>(sum));
    }
    if (sum == 0)
        return e_.fail(Code::bad_call, ast.where, "one weight must be more than 0");
    random.site = e_.builder_.random_sites();
    e_.builder_.set_random_sites(random.site + 1);
    random.values.resize(random.ends.size());
    std::vector<BoundExpr> values{argument(*ast.operands.back())}; // the last one first
    TypeRef type = values[0].type;
    for (std::size_t k = random.ends.size() - 1; k-- > 0;) {
        values.push_back(argument(*ast.operands[2 * k + 2], type));
        type = type ? type : values.back().type;
    }
    FixedPoint{e_}.unify(values, ast.where);
    BoundExpr result = values[0];
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k > 0)
            result = e_.selected(std::nullopt, values[k], result, ast.where);
        random.values[values.size() - 1 - k] = e_.operand(std::move(values[k]));
    }
    return result.ok() ? random_value(result, std::move(random)) : BoundExpr{};
}

} // namespace sme::expr
