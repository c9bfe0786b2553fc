// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/trees.hpp"

#include <algorithm>
#include <memory>

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Operator;
using expr::Rhs;

std::shared_ptr<Ast> tree_of(Ast::Kind kind, const Location& where, std::vector<AstRef> operands) {
    auto tree = std::make_shared<Ast>();
    tree->kind = kind;
    tree->where = where;
    tree->operands = std::move(operands);
    for (const AstRef& operand : tree->operands)
        tree->depth = std::max(tree->depth, operand->depth + 1);
    return tree;
}

AstRef name_tree(std::string name, const Location& where) {
    const auto tree = tree_of(Ast::Kind::name, where, {});
    tree->text = std::move(name);
    return tree;
}

AstRef bool_tree(bool value, const Location& where) {
    const auto tree = tree_of(Ast::Kind::boolean, where, {});
    tree->value = value;
    return tree;
}

AstRef number_tree(Integer value, const Location& where) {
    const auto tree = tree_of(Ast::Kind::number, where, {});
    tree->value = value;
    return tree;
}

AstRef less_one(const AstRef& number) {
    return binary_tree(Operator::subtract, number, number_tree(1, number->where));
}

AstRef binary_tree(Operator op, AstRef a, AstRef b) {
    const Location where = b->where;
    const auto tree = tree_of(Ast::Kind::binary, where, {std::move(a), std::move(b)});
    tree->op = op;
    return tree;
}

AstRef add_tree(AstRef a, AstRef b) {
    return binary_tree(Operator::add, std::move(a), std::move(b));
}

AstRef remainder_tree(AstRef a, int by) {
    const Location where = a->where;
    return binary_tree(Operator::remainder, std::move(a), number_tree(by, where));
}

AstRef index_tree(AstRef base, std::vector<AstRef> places) {
    if (places.empty())
        return base;
    const Location where = base->where;
    places.insert(places.begin(), std::move(base));
    return tree_of(Ast::Kind::index, where, std::move(places));
}

AstRef field_tree(AstRef base, std::string field) {
    const Location where = base->where;
    const auto tree = tree_of(Ast::Kind::field, where, {std::move(base)});
    tree->text = std::move(field);
    return tree;
}

AstRef call_tree(AstRef callee, std::vector<AstRef> operands) {
    const Location where = callee->where;
    operands.insert(operands.begin(), std::move(callee));
    return tree_of(Ast::Kind::call, where, std::move(operands));
}

AstRef named_tree(std::string name, AstRef value) {
    const Location where = value->where;
    const auto tree = tree_of(Ast::Kind::named, where, {std::move(value)});
    tree->text = std::move(name);
    return tree;
}

AstRef not_tree(AstRef condition) {
    const Location where = condition->where;
    const auto tree = tree_of(Ast::Kind::unary, where, {std::move(condition)});
    tree->op = Operator::logical_not;
    return tree;
}

AstRef and_tree(AstRef a, AstRef b) {
    return !a ? b : !b ? a : binary_tree(Operator::logical_and, std::move(a), std::move(b));
}

AstRef or_tree(AstRef a, AstRef b) {
    return !a ? b : !b ? a : binary_tree(Operator::logical_or, std::move(a), std::move(b));
}

AstRef choice_tree(const std::vector<std::pair<AstRef, AstRef>>& arms, const Location& where) {
    std::vector<AstRef> operands;
    for (const auto& [condition, value] : arms) {
        if (condition)
            operands.push_back(condition);
        operands.push_back(value);
    }
    return tree_of(Ast::Kind::conditional, where, std::move(operands));
}

AstRef Rewriter::operator()(const AstRef& tree) const {
    if (!tree)
        return nullptr;
    if (AstRef replaced = replace_(tree))
        return replaced;
    std::vector<AstRef> operands;
    for (const AstRef& operand : tree->operands)
        operands.push_back((*this)(operand));
    if (operands == tree->operands)
        return tree;
    auto changed = std::make_shared<Ast>(*tree);
    changed->operands = std::move(operands);
    for (const AstRef& operand : changed->operands)
        if (operand)
            changed->depth = std::max(changed->depth, operand->depth + 1);
    return changed;
}

Rhs Rewriter::operator()(Rhs rhs) const {
    rhs.value = (*this)(rhs.value);
    rhs.when = (*this)(rhs.when);
    for (Rhs& entry : rhs.list)
        entry = (*this)(std::move(entry));
    for (Rhs::FieldRhs& field : rhs.fields)
        field.rhs = (*this)(std::move(field.rhs));
    for (Rhs::Arm& arm : rhs.arms) {
        arm.condition = (*this)(arm.condition);
        arm.rhs = (*this)(std::move(arm.rhs));
    }
    return rhs;
}

std::vector<expr::RangeText> Rewriter::operator()(std::vector<expr::RangeText> ranges) const {
    for (expr::RangeText& range : ranges) {
        range.low = (*this)(range.low);
        range.end = (*this)(range.end);
    }
    return ranges;
}

Rhs guarded(Rhs rhs, const AstRef& condition) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: rhs.when = and_tree(condition, rhs.when); break;
    case Rhs::Kind::first:
        for (Rhs& entry : rhs.list)
            entry = guarded(std::move(entry), condition);
        break;
    case Rhs::Kind::fields:
        for (Rhs::FieldRhs& field : rhs.fields)
            field.rhs = guarded(std::move(field.rhs), condition);
        break;
    case Rhs::Kind::choice:
    case Rhs::Kind::match:
        for (Rhs::Arm& arm : rhs.arms)
            arm.rhs = guarded(std::move(arm.rhs), condition);
        break;
    }
    return rhs;
}

const Ast* bus_name(const AstRef& tree) {
    const Ast* base = tree.get();
    if (base && base->kind == Ast::Kind::index)
        base = base->operands[0].get();
    return base && base->kind == Ast::Kind::name ? base : nullptr;
}

const Ast& base_of(const Ast& target) {
    const Ast* base = &target;
    while (base->kind == Ast::Kind::index || base->kind == Ast::Kind::slice ||
           base->kind == Ast::Kind::field)
        base = base->operands[0].get();
    return *base;
}

AstRef renamed(const AstRef& tree, const std::string& name) {
    return Rewriter{[&](const AstRef& part) -> AstRef {
        if (part->kind == Ast::Kind::name)
            return part == tree || part == tree->operands[0] ? name_tree(name, part->where) : part;
        return nullptr;
    }}(tree);
}

} // namespace sme::yaml
