// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "expr/process/observe.hpp"
#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

/// Collects the named operands of an expression in a check: "total.value", "core.regs[0]", "past(x,
/// 2)". Leaves out constants and the operands of reducers.
class CheckOperands {
public:
    CheckOperands(expr::Builder& builder, ObserverScope& scope)
        : builder_{builder}, scope_{scope} {}

    /// Adds an expression that has been elaborated without errors.
    void add(const expr::Ast& ast);
    std::vector<expr::Operand> take() { return std::move(found_); }

private:
    static constexpr std::size_t max_operands = 12;
    static constexpr std::size_t max_leaves = 64; // limit for one operand

    void add_call(const expr::Ast& ast);
    void add_conditional(const expr::Ast& ast);
    void add_logical(const expr::Ast& ast);
    void keep(const expr::Ast& ast);
    std::optional<bool> known(const expr::Ast& condition);
    expr::Value value_of(const expr::Ast& ast);

    expr::Builder& builder_;
    ObserverScope& scope_;
    std::vector<expr::Operand> found_;
};

} // namespace sme::yaml
