// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/process/bound_step.hpp"
#include "expr/process/process.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

/// Reports that a loop may write a word of a memory that another line writes, too.
void refuse_words(Elaborator& elaborator, const Location& where, const std::string& memory);

/// Binds the statements of a step: resolves targets, determines types, and reports what is wrong. A
/// line with an error is left out. The bound step refers to the text of the process.
class StepBinder {
public:
    StepBinder(const ProcessView& text, Elaborator& elaborator);

    BoundBlock bind(const Block& step);

private:
    bool statement(const Statement& statement, BoundStatement& bound);
    void choice(const Statement& statement, BoundStatement& bound);
    bool match(const Statement& statement, BoundStatement& bound);
    bool assertion(const Statement& statement, BoundStatement& bound);
    bool print(const Statement& statement, BoundStatement& bound);
    bool condition(const AstRef& ast, const char* what, BoundCondition& bound);
    bool when(const Rhs& rhs, BoundCondition& bound) {
        return condition(rhs.when, "what follows 'when'", bound);
    }

    // Assignments.
    void assign(const Statement& statement, BoundStatement& bound);
    bool assign_one(const Statement& statement, BoundStatement& bound);
    bool assign_to(BoundTarget target, const Statement& statement, BoundStatement& bound);
    bool assign_in_loop(const Statement& statement, const std::vector<LoopIndex>& indices,
                        BoundStatement& bound);
    std::optional<Statement> word_by_word(const Statement& statement);
    bool is_memory(const Ast& target) const;

    // Right-hand sides. `what` names the target in messages.
    struct Wanted {
        const std::string& what;
        const Location& declared;
        const TypeRef& type;
    };
    /// An entry of a list has its condition apart: it is not `conditional`.
    bool offer(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound, bool conditional = true);
    bool first(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound);
    bool choice(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound);
    bool match(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound);
    bool fields(const Rhs& rhs, const Wanted& wanted, BoundRhs& bound);
    bool is_foreign_assignment(const Ast& value, const Wanted& wanted);

    // Targets.
    using Outputs = std::map<std::string_view, const PortText*>;
    std::optional<BoundTarget> target(const Ast& ast);
    Outputs::const_iterator reverse_field(const Ast& ast) const;
    std::optional<BoundTarget> reverse_target(const PortText& port, const Ast& ast);
    std::optional<BoundTarget> base_target(const Ast& ast);
    std::nullopt_t refuse(const Ast& named);
    std::optional<BoundTarget> output_target(const PortText& port,
                                             const std::vector<BoundExpr>& indices, const Ast& ast);
    std::optional<BoundTarget> memory_target(const StateText& state,
                                             const std::vector<BoundExpr>& indices, const Ast& ast);
    std::optional<BoundTarget> field_target(BoundTarget base, const Ast& ast);
    std::optional<BoundTarget> element_target(BoundTarget base, const BoundExpr& index,
                                              const Ast& ast);
    std::optional<BoundTarget> slice_target(const Ast& ast);
    std::optional<BoundSelect> select(BoundSelect::Kind kind, BoundExpr index, std::int64_t low,
                                      std::uint64_t count, const Location& where);
    BoundRef part(BoundExpr::Kind kind, const Ast& ast, std::vector<BoundRef> operands) const;
    BoundRef element(const Ast& ast, BoundRef base, const std::vector<BoundExpr>& indices) const;

    const ProcessView& text_;
    Elaborator& e_;
    Builder& b_;
    Outputs outputs_;                                     // by name
    std::map<std::string_view, const StateText*> states_; // by name
    std::vector<std::shared_ptr<const Statement>> rewritten_;
};

} // namespace sme::expr
