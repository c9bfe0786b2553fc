// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/bound.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/typing/elaborator.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

namespace {

std::optional<Integer> shifted_left(Integer a, Integer b) {
    return b < 0 || b > 126 ? std::nullopt : exact_multiply(a, Integer{1} << b);
}

std::optional<Integer> shifted_right(Integer a, Integer b) {
    return b < 0 ? std::nullopt : std::optional{a >> std::min(b, Integer{127})};
}

/// Computes a power by squaring. An overflowing square matters only if the result needs it.
std::optional<Integer> powered(Integer a, Integer b) {
    std::optional<Integer> result = b < 0 ? std::nullopt : std::optional{Integer{1}};
    for (std::optional<Integer> square = a; result && b > 0; b /= 2) {
        if (!square)
            return std::nullopt;
        if (b % 2 != 0)
            result = exact_multiply(*result, *square);
        square = exact_multiply(*square, *square);
    }
    return result;
}

} // namespace

std::optional<Integer> compute(Operator op, Integer a, Integer b) {
#define SME_UNARY_OPERATOR(name, ...) case Operator::name:
#define SME_BINARY_OPERATOR(name, symbol, strength, kind, op, turned, verilog, exact)              \
    case Operator::name: return exact;
    switch (op) {
#include "expr/syntax/operators.def"
    }
    return std::nullopt;
}

namespace {

/// Returns the range of and, or and exclusive or.
Range compute_bits(Operator op, const Range& a, const Range& b) {
    const bool positive = a.low >= 0 && b.low >= 0;
    if (op == Operator::bit_and && (a.low >= 0 || b.low >= 0))
        return {0, positive ? std::min(a.high, b.high) : a.low >= 0 ? a.high : b.high};
    Integer power = 1; // of two, above all operands
    while (power <= std::max({a.high, b.high, -(a.low + 1), -(b.low + 1)}))
        power *= 2;
    return {positive ? 0 : -power, power - 1};
}

/// Returns the range of a quotient: its magnitude is at most that of the dividend.
Range compute_quotient(const Range& a, const Range& b) {
    const Integer most = std::max(a.high < 0 ? -a.high : a.high, a.low < 0 ? -a.low : a.low);
    return {a.low < 0 || b.low < 0 ? -most : 0, most};
}

/// Returns the range of a remainder: it has the sign of the dividend and is smaller than the
/// divisor.
Range compute_remainder(const Range& a, const Range& b) {
    const Integer most = std::max(b.high, -b.low) - 1;
    return {a.low < 0 ? std::max(a.low, -most) : 0, std::min(std::max(a.high, Integer{0}), most)};
}

} // namespace

std::optional<Range> compute(Operator op, const Range& a, const Range& b) {
    if (op == Operator::divide || op == Operator::remainder) {
        if (b.low == 0 && b.high == 0)
            return std::nullopt;
        return op == Operator::divide ? compute_quotient(a, b) : compute_remainder(a, b);
    }
    if (is_bitwise(op))
        return compute_bits(op, a, b);
    if (op == Operator::power && b.low != b.high)
        return std::nullopt;
    std::optional<Range> result; // the extremes lie at the ends of the ranges
    for (const Integer x : {a.low, a.high})
        for (const Integer y : {b.low, b.high}) {
            const std::optional<Integer> corner = compute(op, x, y);
            if (!corner)
                return std::nullopt;
            result = result ? Range{std::min(result->low, *corner), std::max(result->high, *corner)}
                            : Range{*corner, *corner};
        }
    if (op == Operator::power && a.low < 0 && a.high > 0) // an even power is smallest at 0
        result->low = std::min(result->low, Integer{0});
    return result;
}

// Bound expressions, for exporters.

BoundExpr Elaborator::leaf_of(const Value& value) const {
    BoundExpr result;
    result.form = value.kind;
    result.varies = value.varies;
    result.low = value.low;
    result.high = value.high;
    result.type = value.type;
    result.words = value.words;
    result.constants = value.constants;
    if (value.kind == Value::Kind::typed && value.leaves.size() == 1)
        result.known = builder_.constant_value(value.leaves[0]);
    return result;
}

BoundRef Elaborator::tree_of(const Value& value) const {
    return value.tree ? value.tree : std::make_shared<const BoundExpr>(leaf_of(value));
}

void Elaborator::keep(std::vector<BoundRef>& operands, const Value& value) const {
    if (bindings_)
        operands.push_back(tree_of(value));
}

void Elaborator::keep(std::vector<BoundRef>& operands, const std::vector<Value>& values) const {
    for (const Value& value : values)
        keep(operands, value);
}

Value Elaborator::with_tree(Value value, BoundExpr::Kind kind, const Ast* ast,
                            std::vector<BoundRef> operands) const {
    if (!bindings_ || !value.ok() || (value.is_constant() && value.tree)) // it keeps its name
        return value;
    BoundExpr tree = leaf_of(value);
    tree.kind = kind;
    tree.ast = ast;
    tree.operands = std::move(operands);
    value.tree = std::make_shared<const BoundExpr>(std::move(tree));
    return value;
}

void Elaborator::change_tree(Value& value, const std::function<void(BoundExpr&)>& change) {
    if (!value.tree)
        return;
    BoundExpr changed = *value.tree;
    change(changed);
    value.tree = std::make_shared<const BoundExpr>(std::move(changed));
}

namespace {

/// Returns a node with an unknown value.
NodeId unknown_node(Builder& builder, Scalar type) {
    constexpr std::uint32_t nowhere = 1u << 30; // no port has this number
    return builder.leaf({Op::load, type, nowhere + static_cast<std::uint32_t>(builder.size()),
                         no_node, no_node, 0});
}

/// Returns a value of which the type or the range is known, as of another value.
Value unknown_like(const Value& value, Builder& builder) {
    Value result = value;
    result.tree = nullptr;
    if (value.is_exact() && !value.is_constant())
        result.node =
            unknown_node(builder, scalar_between(value.low, value.high).value_or(Scalar{64, true}));
    for (NodeId& leaf : result.leaves)
        leaf = unknown_node(builder, builder.type(leaf));
    return result;
}

/// Returns a text for the types and ranges of arguments; "" if they contain memories or
/// arrays of ports.
std::string typing_of(const std::vector<Value>& arguments) {
    std::string result;
    for (const Value& value : arguments)
        switch (value.kind) {
        case Value::Kind::exact:
            result += fmt::format(" {}..{}{}", to_string(value.low), to_string(value.high),
                                  value.varies ? "*" : "");
            break;
        case Value::Kind::typed:
            result += fmt::format(" {}:{}", value.type->name(), value.type->width_bits());
            break;
        case Value::Kind::constants:
            result += fmt::format(" {}", static_cast<const void*>(value.constants.get()));
            break;
        default: return {};
        }
    return result;
}

/// Binds the body for arguments of which only the types and ranges are known.
std::shared_ptr<const BoundBody> body_of(const Function& function,
                                         const std::vector<Value>& arguments, Elaborator& caller) {
    const std::string typing = typing_of(arguments);
    auto& known = caller.bindings()->bodies;
    const std::string key = fmt::format("{}{}", static_cast<const void*>(&function), typing);
    if (const auto found = known.find(key); found != known.end() && !typing.empty())
        return found->second;
    std::vector<Value> unknown;
    for (const Value& argument : arguments)
        unknown.push_back(unknown_like(argument, caller.builder()));
    Diagnostics quiet;
    FunctionBody inside{function, std::move(unknown), caller, quiet};
    std::shared_ptr<const BoundBody> result = inside.bound(inside.value());
    if (!typing.empty())
        known[key] = result;
    for (const Value& argument : arguments)
        if (argument.constants) // its address is part of the key
            caller.bindings()->arrays.push_back(argument.constants);
    return result;
}

} // namespace

Value bound_call(const Ast& call, Value value, FunctionBody& inside, Elaborator& caller) {
    const std::vector<Value> arguments = inside.arguments();
    std::vector<BoundRef> operands;
    caller.keep(operands, arguments);
    const std::shared_ptr<const BoundBody> here = inside.bound(value);
    value =
        caller.with_tree(std::move(value), BoundExpr::Kind::own_call, &call, std::move(operands));
    Elaborator::change_tree(value, [&](BoundExpr& bound) {
        bound.body = body_of(*here->function, arguments, caller);
        if (!bound.body->value)
            bound.body_here = here;
    });
    return value;
}

} // namespace sme::expr
