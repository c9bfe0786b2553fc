// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "expr/syntax/step.hpp"

// Makes syntax trees, and makes trees like others in which some parts are replaced.

namespace sme::yaml {

expr::AstRef name_tree(std::string name, const Location& where);
expr::AstRef bool_tree(bool value, const Location& where);
expr::AstRef number_tree(Integer value, const Location& where);
expr::AstRef less_one(const expr::AstRef& number);
expr::AstRef add_tree(expr::AstRef a, expr::AstRef b);
expr::AstRef binary_tree(expr::Operator op, expr::AstRef a, expr::AstRef b);
expr::AstRef remainder_tree(expr::AstRef a, int by);
expr::AstRef field_tree(expr::AstRef base, std::string field);
/// callee(operands)
expr::AstRef call_tree(expr::AstRef callee, std::vector<expr::AstRef> operands);
/// base[places]; of a family without places: base
expr::AstRef index_tree(expr::AstRef base, std::vector<expr::AstRef> places);
/// `name` = value, as an argument of a call.
expr::AstRef named_tree(std::string name, expr::AstRef value);
expr::AstRef not_tree(expr::AstRef condition);
/// a and b. Null stands for a condition that always holds.
expr::AstRef and_tree(expr::AstRef a, expr::AstRef b);
/// a or b. Null stands for a condition that never holds.
expr::AstRef or_tree(expr::AstRef a, expr::AstRef b);
/// Each condition with its value; the last value, of else, has none.
expr::AstRef choice_tree(const std::vector<std::pair<expr::AstRef, expr::AstRef>>& arms,
                         const Location& where);

/// Makes trees in which `replace` has replaced parts; where it returns null, the tree stays, and
/// its operands are looked at. A tree without replaced parts is the same object.
class Rewriter {
public:
    using Replace = std::function<expr::AstRef(const expr::AstRef& tree)>;
    explicit Rewriter(Replace replace) : replace_{std::move(replace)} {}

    /// Null for null.
    expr::AstRef operator()(const expr::AstRef& tree) const;
    expr::Rhs operator()(expr::Rhs rhs) const;
    std::vector<expr::RangeText> operator()(std::vector<expr::RangeText> ranges) const;

private:
    Replace replace_;
};

/// The same right-hand side, which has a value only where the condition holds as well.
expr::Rhs guarded(expr::Rhs rhs, const expr::AstRef& condition);

} // namespace sme::yaml
