// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/process/bound_step.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// Collects the named operands of a condition in a check or an assert: "total.value",
/// "core.regs[0]", "past(x, 2)". Leaves out constants, the operands of reducers, and the indices of
/// the process, which its name tells.
class Operands {
public:
    Operands(Builder& builder, Scope& scope, std::function<bool(const std::string&)> is_index)
        : builder_{builder}, scope_{scope}, is_index_{std::move(is_index)} {}

    /// Adds an expression that has been elaborated without errors.
    void add(const Ast& ast);
    std::vector<BoundOperand> take() { return std::move(found_); }

private:
    static constexpr std::size_t max_operands = 12;
    static constexpr std::size_t max_leaves = 64; // limit for one operand

    void add_call(const Ast& ast);
    void add_conditional(const Ast& ast);
    void add_logical(const Ast& ast);
    void keep(const Ast& ast);
    std::optional<bool> known(const Ast& condition);
    BoundExpr value_of(const Ast& ast);

    Builder& builder_;
    Scope& scope_;
    std::function<bool(const std::string&)> is_index_;
    std::vector<BoundOperand> found_;
};

/// Makes the nodes of operands; leaves out constants and equal values.
std::vector<Operand> lowered(const std::vector<BoundOperand>& operands, Lowering& lowering);

} // namespace sme::expr
