// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process_scope.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

bool SequenceValues::is_static(const Ast& tree) const {
    const auto is_fine = [&](const AstRef& operand) { return is_static(*operand); };
    if (tree.kind == Ast::Kind::name) {
        const auto& dimensions = text_.shape.dimensions;
        return indices_.count(tree.text) > 0 || context_.scope.find(tree.text) ||
               std::any_of(dimensions.begin(), dimensions.end(),
                           [&](const auto& each) { return each.index == tree.text; });
    }
    if (tree.kind != Ast::Kind::call)
        return std::all_of(tree.operands.begin(), tree.operands.end(), is_fine);
    const Ast& callee = *tree.operands[0];
    return callee.kind == Ast::Kind::name && callee.text != "random" &&
           !context_.scope.find_function(callee.text) &&
           std::all_of(tree.operands.begin() + 1, tree.operands.end(), is_fine);
}

std::optional<Integer> SequenceValues::constant(const AstRef& tree) {
    if (!tree)
        return std::nullopt;
    expr::Trial trial{context_.scope.fuel()};
    Constants constants{context_.scope, trial.diagnostics};
    return constants.elaborator().constant(*tree, "this");
}

std::optional<bool> SequenceValues::truth(const AstRef& tree) {
    if (!tree)
        return std::nullopt;
    expr::Trial trial{context_.scope.fuel()};
    Constants constants{context_.scope, trial.diagnostics};
    const auto holds = constants.elaborator().condition(*tree, "this");
    const auto known = holds ? constants.builder().constant_value(*holds) : std::nullopt;
    return known ? std::optional{*known != 0} : std::nullopt;
}

template <class Use> auto SequenceValues::with_value(const AstRef& tree, const Use& use) {
    expr::ProcessView text = text_;
    const Rewriter add_used{[&](const AstRef& part) -> AstRef {
        const auto found =
            part->kind == Ast::Kind::name ? indices_.find(part->text) : indices_.end();
        if (found != indices_.end()) {
            expr::StateText& state = text.states.emplace_back();
            state.name = found->first;
            state.type = found->second;
        }
        return nullptr;
    }};
    add_used(tree);
    expr::Builder builder;
    expr::ProcessScope scope{text, context_.scope, builder, context_.diagnostics};
    expr::Elaborator elaborator{builder, scope, context_.diagnostics};
    scope.set_elaborator(elaborator);
    const expr::BoundExpr value = elaborator.bound_value(*tree);
    return use(elaborator, value);
}

TypeRef SequenceValues::type_of(const AstRef& tree, const char* what) {
    return with_value(
        tree, [&](expr::Elaborator& elaborator, const expr::BoundExpr& value) -> TypeRef {
            if (!value.ok())
                return nullptr;
            if (value.is_exact() && value.low >= 0) {
                unsigned width = 1;
                while (width < 63 && (value.high >> width) != 0)
                    ++width;
                return Type::unsigned_integer(width);
            }
            if (value.form == expr::Form::typed &&
                value.type->kind() == TypeKind::unsigned_integer && value.type->width_bits() <= 63)
                return value.type;
            context_.diagnostics.add(
                Code::type_mismatch, tree->where,
                fmt::format("{} is an unsigned integer of at most 63 bits, but "
                            "this is {}",
                            what, elaborator.describe_type(value)));
            return nullptr;
        });
}

AstRef SequenceValues::argument(const AstRef& value, const TypeRef& type, const std::string& name) {
    const bool fits =
        with_value(value, [&](expr::Elaborator& elaborator, const expr::BoundExpr& bound) {
            return bound.ok() &&
                   elaborator.fitted(bound, type, value->where, fmt::format("'{}'", name)).ok();
        });
    if (!fits)
        return nullptr;
    // its own type, since decisions see it in place of the parameter
    return type->is_integer() ? call_tree(name_tree(type->name(), value->where), {value}) : value;
}

} // namespace sme::yaml
