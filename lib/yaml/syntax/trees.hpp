// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expr/syntax/step.hpp"

// Builds syntax trees, and copies trees with some parts replaced.

namespace sme::yaml {

std::shared_ptr<expr::Ast> tree_of(expr::Ast::Kind kind, const Location& where,
                                   std::vector<expr::AstRef> operands);
expr::AstRef name_tree(std::string name, const Location& where);
expr::AstRef bool_tree(bool value, const Location& where);
expr::AstRef number_tree(Integer value, const Location& where);
expr::AstRef less_one(const expr::AstRef& number);
expr::AstRef add_tree(expr::AstRef a, expr::AstRef b);
expr::AstRef binary_tree(expr::Operator op, expr::AstRef a, expr::AstRef b);
expr::AstRef remainder_tree(expr::AstRef a, int by);
expr::AstRef field_tree(expr::AstRef base, std::string field);
/// Returns callee(operands).
expr::AstRef call_tree(expr::AstRef callee, std::vector<expr::AstRef> operands);
/// Returns base[places]; base if `places` is empty.
expr::AstRef index_tree(expr::AstRef base, std::vector<expr::AstRef> places);
/// Returns `name` = value, an argument of a call.
expr::AstRef named_tree(std::string name, expr::AstRef value);
expr::AstRef not_tree(expr::AstRef condition);
/// Returns a and b. Null is a condition that always holds.
expr::AstRef and_tree(expr::AstRef a, expr::AstRef b);
/// Returns a or b. Null is a condition that never holds.
expr::AstRef or_tree(expr::AstRef a, expr::AstRef b);
/// Returns a conditional with these conditions and values; the last value, for else, has no
/// condition.
expr::AstRef choice_tree(const std::vector<std::pair<expr::AstRef, expr::AstRef>>& arms,
                         const Location& where);

/// Copies trees with the parts replaced for which `replace` returns a tree; for null, it visits the
/// operands. A tree without replaced parts stays the same object.
class Rewriter {
public:
    using Replace = std::function<expr::AstRef(const expr::AstRef& tree)>;
    explicit Rewriter(Replace replace) : replace_{std::move(replace)} {}

    /// Returns null for null.
    expr::AstRef operator()(const expr::AstRef& tree) const;
    expr::Rhs operator()(expr::Rhs rhs) const;
    std::vector<expr::RangeText> operator()(std::vector<expr::RangeText> ranges) const;

private:
    Replace replace_;
};

/// Returns the base name of a target: y for "y[3].a[k]".
const expr::Ast& base_of(const expr::Ast& target);
/// Returns the name in "raw" or "raw[k]"; null for anything else.
const expr::Ast* bus_name(const expr::AstRef& tree);
/// Returns "name" for "raw", and "name[k]" for "raw[k]".
expr::AstRef renamed(const expr::AstRef& tree, const std::string& name);

/// Returns a right-hand side that has a value only if the condition holds as well.
expr::Rhs guarded(expr::Rhs rhs, const expr::AstRef& condition);

} // namespace sme::yaml
