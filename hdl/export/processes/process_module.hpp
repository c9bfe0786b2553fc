// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "export/modules/module_set.hpp"
#include "export/processes/process_context.hpp"

namespace sme::hdl {

/// Writes a step as statements: the lines that assign given variables.
///
/// The lines of a block come first, its if and match blocks after them: the last assignment wins,
/// as in the language. Assignments in the clocked block are nonblocking, so every right-hand side
/// sees the values from the start of the cycle.
class StepWriter {
public:
    /// `variables`: the variables whose assignments are written.
    StepWriter(ProcessContext& context, bool clocked, std::set<std::string> variables)
        : context_{context}, translator_{context.translator()}, clocked_{clocked},
          variables_{std::move(variables)} {}

    rtl::Statements block(const expr::BoundBlock& block);

private:
    using Statements = rtl::Statements;
    Statements assign(const expr::BoundStatement& statement);
    Statements choice(const expr::BoundStatement& statement);
    Statements match(const expr::BoundStatement& statement);

    Statements offer(const expr::BoundRhs& rhs, const HdlValue& target);
    Statements offer_always(const expr::BoundRhs& rhs, const HdlValue& target);
    Statements set(const HdlValue& target, const HdlValue& value);
    Statements set_element(const Place& place, const HdlValue& value);
    bool is_wanted(const HdlValue& target) const;

    /// Bodies under conditions, of which the first true one runs.
    using Bodies = std::vector<std::pair<const expr::BoundCondition*, Statements>>;
    Statements conditions(Bodies bodies);
    struct CaseArm {
        const expr::BoundPatterns* patterns;
        bool possible;
        std::function<Statements()> body;
    };
    Statements cases(const expr::BoundExpr& subject, const std::vector<CaseArm>& arms);

    ProcessContext& context_;
    Translator& translator_;
    bool clocked_;
    std::set<std::string> variables_;
};

/// Tests whether a step assigns every bit of a variable in every cycle, so that the variable needs
/// no default.
bool is_always_assigned(const Variable& variable, const expr::BoundBlock& step,
                        ProcessContext& context);

/// The input for writing a process module.
struct ProcessSource {
    const Graph& graph;
    std::size_t family;
    const expr::ProcessView& text;
    const expr::BoundProcess& bound;
    const std::vector<std::pair<std::string, Integer>>& parameters; // of its scope
    std::string name;                                               // wanted
    Location declared;
    std::uint64_t first = 0; // instances first … first + count − 1 of the family
    std::uint64_t count = 1;
    const KeptParameters* kept = nullptr; // of the network; null: no parameters, in a component
    bool says_so = false;                 // adds comments with the parameter values of the text
    bool packed = false;                  // structs at ports are one vector
};

/// Writes a process. The initial values of instances may differ only in slots.
WrittenModule write_process(const ProcessSource& source, Modules& modules,
                            Diagnostics& diagnostics);

} // namespace sme::hdl
