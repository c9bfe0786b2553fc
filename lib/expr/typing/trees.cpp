// SPDX-License-Identifier: Apache-2.0
//
// The bound expressions of values, and the bodies of functions for exporters.
#include <fmt/format.h>

#include "expr/bound/bound.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/functions.hpp"

namespace sme::expr {

BoundExpr Elaborator::leaf_of(const Value& value) const {
    BoundExpr result = without_nodes(value);
    result.lowered = value.leaves;
    return result;
}

/// Returns what a tree says of a value.
BoundExpr Elaborator::without_nodes(const Value& value) const {
    BoundExpr result;
    result.form = value.kind;
    result.varies = value.varies;
    result.low = value.low;
    result.high = value.high;
    result.type = value.type;
    result.words = value.words;
    result.constants = value.constants;
    result.known = value.known;
    if (value.kind == Value::Kind::typed && value.leaves.size() == 1)
        result.known = builder_.constant_value(value.leaves[0]);
    return result;
}

BoundRef Elaborator::tree_of(const Value& value) const {
    return value.tree ? value.tree : std::make_shared<const BoundExpr>(leaf_of(value));
}

void Elaborator::keep(std::vector<BoundRef>& operands, const Value& value) const {
    operands.push_back(tree_of(value));
}

void Elaborator::keep(std::vector<BoundRef>& operands, const std::vector<Value>& values) const {
    for (const Value& value : values)
        keep(operands, value);
}

Value Elaborator::with_tree(Value value, BoundExpr::Kind kind, const Ast* ast,
                            std::vector<BoundRef> operands) {
    if (!value.ok() || (value.is_constant() && value.tree)) // it keeps its name
        return value;
    BoundExpr tree = without_nodes(value);
    tree.kind = kind;
    tree.ast = ast;
    tree.operands = std::move(operands);
    tree.lowered = std::move(value.leaves);
    value.leaves.clear();
    // at once, so that checks are in the order of evaluation
    if (kind != BoundExpr::Kind::leaf && (tree.form == Form::typed || tree.is_exact()) &&
        !tree.is_constant() && lower_.leaves(tree).size() == 1 && tree.form == Form::typed)
        tree.known = builder_.constant_value(tree.lowered[0]);
    if (tree.type && tree.type->is_scalar())
        value.known = tree.known;
    value.tree = std::make_shared<const BoundExpr>(std::move(tree));
    return value;
}

Value Elaborator::lowered(Value value) {
    if (value.leaves.empty() && value.kind == Value::Kind::typed)
        value.leaves = lower_.leaves_as(*tree_of(value), *value.type);
    else if (value.leaves.empty() && value.is_exact() && !value.is_constant())
        value.leaves = lower_.leaves(*value.tree);
    return value;
}

std::optional<std::uint64_t> Elaborator::known(const Value& value) {
    if (value.known)
        return value.known;
    return builder_.constant_value(
        value.leaves.empty() ? lower_.leaves_as(*tree_of(value), *value.type)[0] : value.leaves[0]);
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
    result.known.reset();
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
