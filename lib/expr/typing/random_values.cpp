// SPDX-License-Identifier: Apache-2.0
//
// Random values: random(T), with a rule or without, and random(weight, value, ...).
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/printer.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

namespace {

constexpr std::uint64_t most_draws = 64;
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
    Builder& b = e_.builder_;
    const bool has_rule = ast.operands.size() > 2;
    std::vector<NodeId> leaves;
    for (const Leaf& leaf : type->leaves()) {
        const bool needs_word = has_rule || leaf.type->kind() == TypeKind::enumeration;
        const NodeId bits = b.random(needs_word ? random_word : Scalar::of(*leaf.type));
        leaves.push_back(needs_word && !has_rule ? from_bits(*leaf.type, bits, b) : bits);
    }
    return has_rule ? drawn_by_rule(ast, type, leaves) : BoundExpr::of(type, std::move(leaves));
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

/// random(T) x where rule: a loop that draws until the rule holds. `bits`: of the first draw, for
/// each scalar. In a draw after that, the rule is not evaluated.
BoundExpr Calls::drawn_by_rule(const Ast& ast, const TypeRef& type,
                               const std::vector<NodeId>& bits) {
    Builder& b = e_.builder_;
    const Ast& rule = *ast.operands[2];
    if (ast.operands.size() > 3)
        return e_.fail(Code::bad_call, ast.where,
                       "this is written random(type), random(weight, value, ...), or "
                       "'random(type) x where' and a condition on x");
    if (e_.is_known(rule.text))
        return e_.fail(
            Code::bad_name, rule.where,
            fmt::format("'{}' is declared already; give the random value another name", rule.text));
    const std::string index = "a draw"; // no name of the user's
    const std::uint64_t longest = b.loops().longest;
    LoopFrame frame{e_, {{index, 0, most_draws}}, ast.where};
    Loop loop{most_draws, b.step(most_draws, frame.loop()->depth), {}, {b.next_site()}};
    const NodeId found = b.carried({1, false});
    std::vector<Loop::Carried> carried{{found, b.boolean(false), no_node}};
    std::vector<NodeId> drawn, results;
    for (std::size_t k = 0; k < bits.size(); ++k) {
        const Type& leaf = *type->leaves()[k].type;
        drawn.push_back(from_bits(leaf, drawn_again(bits[k], loop.step, b), b));
        const NodeId kept = b.carried(Scalar::of(leaf));
        carried.push_back({kept, b.constant(Scalar::of(leaf), 0), b.select(found, kept, drawn[k])});
    }
    e_.unbind(index);
    e_.bind(rule.text, BoundExpr::of(type, drawn));
    const BoundExpr holds = e_.truth(*rule.operands[0], "a rule");
    e_.unbind(rule.text);
    if (!holds.ok())
        return {};
    carried[0].next = b.any_of(found, holds.leaves[0]);
    loop.carried = std::move(carried);
    loop.until = 0;
    frame.close();
    b.loops().longest = longest; // it cannot be unrolled, so it does not count
    const NodeId node = b.loop(std::move(loop));
    if (!frame.charge(false))
        return {};
    const NodeId missed = b.logical_not(b.loop_result(node, 0));
    for (std::uint32_t k = 0; k < bits.size(); ++k)
        results.push_back(b.checked(b.loop_result(node, k + 1), missed,
                                    {Code::assumption_unmet, rule.operands[0]->where,
                                     fmt::format("none of {} draws of {} met '{}'", most_draws,
                                                 type->name(), print(*rule.operands[0]))}));
    return BoundExpr::of(type, std::move(results));
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
    std::vector<Integer> ends;
    Integer sum = 0;
    for (std::size_t k = 1; k < ast.operands.size(); k += 2) {
        const std::optional<Integer> weight = e_.constant(*ast.operands[k], "a weight");
        if (!weight)
            return {};
        if (*weight < 0 || *weight > most)
            return e_.fail(Code::bad_call, ast.operands[k]->where,
                           fmt::format("a weight is from 0 to {}, but this is {}", to_string(most),
                                       to_string(*weight)));
        ends.push_back(sum += *weight);
    }
    if (sum == 0)
        return e_.fail(Code::bad_call, ast.where, "one weight must be more than 0");
    Builder& b = e_.builder_;
    const NodeId at = b.operation(Op::remainder, random_word, b.random(random_word),
                                  b.constant(random_word, static_cast<std::uint64_t>(sum)));
    BoundExpr result = argument(*ast.operands.back());
    for (std::size_t k = ends.size() - 1; k-- > 0 && result.ok();) {
        const BoundExpr value = argument(*ast.operands[2 * k + 2], result.type);
        if (!value.ok())
            return {};
        const NodeId chosen = b.operation(
            Op::less, {1, false}, at, b.constant(random_word, static_cast<std::uint64_t>(ends[k])));
        result = e_.select(chosen, value, result, ast.where);
    }
    arguments_.clear(); // exporters know it as one random value
    return Elaborator::without_expression(e_.lowered(std::move(result)));
}

} // namespace sme::expr
