// SPDX-License-Identifier: Apache-2.0
//
// Trees of elaborated expressions, for exporters.
#include "expr/typing/typed.hpp"

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

namespace {

/// Returns a value for a tree, without its nodes, which would waste memory.
Value without_nodes(const Value& value) {
    Value made;
    made.kind = value.kind;
    made.low = value.low;
    made.high = value.high;
    made.words = value.words;
    made.type = value.type;
    if (value.leaves.size() == 1)
        made.leaves = value.leaves;
    made.constants = value.constants;
    made.memory = value.memory;
    made.family = value.family;
    return made;
}

} // namespace

TypedRef Elaborator::tree_of(const Value& value) {
    if (value.tree)
        return value.tree;
    Typed leaf;
    leaf.value = without_nodes(value);
    return std::make_shared<const Typed>(std::move(leaf));
}

void Elaborator::keep(std::vector<TypedRef>& operands, const Value& value) const {
    if (keeps_trees_)
        operands.push_back(tree_of(value));
}

void Elaborator::keep(std::vector<TypedRef>& operands, const std::vector<Value>& values) const {
    for (const Value& value : values)
        keep(operands, value);
}

Value Elaborator::with_tree(Value value, Typed::Kind kind, const Ast* ast,
                            std::vector<TypedRef> operands, const Rhs* match) const {
    if (!keeps_trees_ || !value.ok() || (value.is_constant() && value.tree)) // it keeps its name
        return value;
    Typed tree;
    tree.kind = kind;
    tree.ast = ast;
    tree.match = match;
    tree.value = without_nodes(value);
    tree.operands = std::move(operands);
    value.tree = std::make_shared<const Typed>(std::move(tree));
    return value;
}

} // namespace sme::expr
