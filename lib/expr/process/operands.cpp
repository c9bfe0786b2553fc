// SPDX-License-Identifier: Apache-2.0
#include "expr/process/operands.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "expr/syntax/printer.hpp"
#include "expr/typing/builtins.hpp"

namespace sme::expr {

BoundExpr Operands::value_of(const Ast& ast) {
    Trial trial{scope_.fuel()}; // errors have been reported
    Elaborator probe{builder_, scope_, trial.diagnostics};
    BoundExpr value = probe.bound(ast);
    return trial.diagnostics.has_errors() ? BoundExpr{} : value;
}

std::optional<bool> Operands::known(const Ast& condition) {
    const BoundExpr value = value_of(condition);
    return value.is_bool() && value.known ? std::optional{*value.known != 0} : std::nullopt;
}

void Operands::add(const Ast& ast) {
    if (found_.size() >= max_operands)
        return;
    switch (ast.kind) {
    case Ast::Kind::name:
    case Ast::Kind::field: return keep(ast);
    case Ast::Kind::index:
    case Ast::Kind::slice:
        keep(ast);
        for (std::size_t k = 1; k < ast.operands.size(); ++k)
            add(*ast.operands[k]);
        return;
    case Ast::Kind::call: return add_call(ast);
    case Ast::Kind::conditional: return add_conditional(ast);
    case Ast::Kind::binary: return add_logical(ast);
    case Ast::Kind::unary:
    case Ast::Kind::named: return add(*ast.operands[0]);
    default: return;
    }
}

/// Adds the operands of a call. Reducers bind their own names; `stable`, `rose` and `fell` also add
/// the previous value.
void Operands::add_call(const Ast& ast) {
    const std::string& name = ast.operands[0]->text;
    const bool range = ast.operands.size() > 2 && ast.operands[1]->kind == Ast::Kind::binary &&
                       ast.operands[1]->op == Operator::less &&
                       ast.operands[1]->operands[0]->kind == Ast::Kind::name;
    if (name == "past")
        return keep(ast);
    const Builtin* const builtin = find_builtin(name);
    if (builtin && range)
        return;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        add(*ast.operands[k]);
    if (!builtin || builtin->place != Builtin::Place::checks)
        return;
    Ast before = ast;
    auto callee = std::make_shared<Ast>(*ast.operands[0]);
    callee->text = "past";
    before.operands[0] = std::move(callee);
    keep(before);
}

void Operands::add_conditional(const Ast& ast) {
    for (std::size_t k = 0; k + 1 < ast.operands.size(); k += 2) {
        const std::optional<bool> holds = known(*ast.operands[k]);
        if (!holds)
            add(*ast.operands[k]);
        if (holds != false)
            add(*ast.operands[k + 1]);
        if (holds == true)
            return;
    }
    add(*ast.operands.back());
}

/// Adds the operands of a logical operator; skips the right one if the left one is a constant that
/// decides.
void Operands::add_logical(const Ast& ast) {
    const bool stops_at_false = ast.op == Operator::logical_and || ast.op == Operator::implies;
    if (stops_at_false || ast.op == Operator::logical_or)
        if (const auto holds = known(*ast.operands[0]); holds && *holds != stops_at_false)
            return;
    add(*ast.operands[0]);
    add(*ast.operands[1]);
}

void Operands::keep(const Ast& ast) {
    if (ast.kind == Ast::Kind::name && is_index_(ast.text))
        return; // the name of the process says it
    BoundExpr value = value_of(ast);
    const bool has_value =
        value.form == Form::typed ? value.type->leaf_count() <= max_leaves : value.is_exact();
    std::string text = print(ast);
    const auto is_same = [&](const BoundOperand& other) { return other.text == text; };
    if (!has_value || value.closed() || found_.size() >= max_operands ||
        std::any_of(found_.begin(), found_.end(), is_same))
        return;
    found_.push_back({std::move(text), std::make_shared<const BoundExpr>(std::move(value))});
}

std::vector<Operand> lowered(const std::vector<BoundOperand>& operands, Lowering& lowering) {
    Builder& builder = lowering.builder();
    const auto is_constant = [&](NodeId leaf) { return builder.constant_value(leaf).has_value(); };
    std::vector<Operand> result;
    for (const auto& [text, value] : operands) {
        const TypeRef type = value->is_exact() ? Type::unsigned_integer(64) : value->type;
        Lowering::Leaves leaves;
        try {
            leaves = lowering.leaves_as(*value, *type);
        } catch (const TooLarge&) { // the condition without it is not
            continue;
        }
        const auto same = [&](const Operand& other) {
            return other.leaves == leaves && *other.type == *type;
        };
        if (!std::all_of(leaves.begin(), leaves.end(), is_constant) &&
            std::none_of(result.begin(), result.end(), same))
            result.push_back({text, type, std::move(leaves)});
    }
    return result;
}

} // namespace sme::expr
