// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "expr/process/process_scope.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/syntax.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// Finds the widths of expressions of a pipeline, whatever their stage.
class Widths {
public:
    Widths(const PipelineSyntax& pipeline, const expr::ProcessView& text, Context& context)
        : trial_{context.scope.fuel()}, view_{text}, scope_{view_with(pipeline), context.scope,
                                                            builder_, trial_.diagnostics},
          elaborator_{builder_, scope_, trial_.diagnostics} {
        scope_.set_elaborator(elaborator_);
    }

    unsigned of(const expr::AstRef& tree) {
        using Kind = expr::OperatorRow::Kind;
        switch (tree->kind) {
        case expr::Ast::Kind::number:
        case expr::Ast::Kind::boolean: return 1;
        case expr::Ast::Kind::unary: return of(tree->operands[0]);
        case expr::Ast::Kind::binary: {
            const Kind kind = expr::row_of(tree->op).kind;
            return kind == Kind::equality || kind == Kind::order || kind == Kind::logical
                       ? 1
                       : std::max(of(tree->operands[0]), of(tree->operands[1]));
        }
        default: return bound(tree).width;
        }
    }

    /// Returns true if a register can hold the value.
    bool has_register(const expr::AstRef& tree) {
        return tree->kind == expr::Ast::Kind::binary || tree->kind == expr::Ast::Kind::unary ||
               bound(tree).has_register;
    }

    /// Adds a value that replaces a part of an expression.
    void add(const std::string& name, const expr::AstRef& tree) {
        parts_[name] = as_written_(tree);
    }

private:
    struct Found {
        unsigned width = 1; // 1: a number, or no scalar
        bool has_register = false;
    };

    const Found& bound(const expr::AstRef& tree) {
        const auto known = found_.find(tree);
        if (known != found_.end())
            return known->second;
        Found& found = found_[tree];
        const expr::BoundExpr value = elaborator_.bound_value(*as_written_(tree));
        if (!value.ok() || value.form != expr::Form::typed)
            return found;
        found.has_register = value.type->kind() != TypeKind::array && !value.type->is_bundle();
        if (value.type->is_scalar())
            found.width = static_cast<unsigned>(value.type->width_bits());
        return found;
    }

    const expr::ProcessView& view_with(const PipelineSyntax& pipeline) {
        for (const PipelineSyntax::Stage& stage : pipeline.stages)
            for (const PipelineSyntax::Line& line : stage.lines)
                if (line.target->kind == expr::Ast::Kind::name)
                    view_.lets.push_back({line.target->text, line.rhs, line.where, {}, true});
        return view_;
    }

    std::map<expr::AstRef, Found> found_; // also of trees that are no longer used
    std::map<std::string, expr::AstRef> parts_;
    const Rewriter as_written_{[this](const expr::AstRef& tree) -> expr::AstRef {
        const auto found =
            tree->kind == expr::Ast::Kind::name ? parts_.find(tree->text) : parts_.end();
        return found == parts_.end() ? nullptr : found->second;
    }};
    expr::Trial trial_;
    expr::ProcessView view_;
    expr::Builder builder_;
    expr::ProcessScope scope_;
    expr::Elaborator elaborator_;
};

} // namespace sme::yaml
