// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "export/modules/process_site.hpp"

namespace sme::hdl {

/// Writes a step as statements: the lines that assign given variables.
///
/// The lines of a block come first, its if and match blocks after them: the last assignment wins,
/// as in the language. Assignments in the clocked block are nonblocking, so every right-hand side
/// sees the values from the start of the cycle.
class StepWriter {
public:
    /// `variables`: the variables whose assignments are written.
    StepWriter(ProcessSite& site, bool clocked, std::set<std::string> variables)
        : site_{site}, translator_{site.translator()}, clocked_{clocked}, variables_{std::move(
                                                                              variables)} {}

    rtl::Statements block(const expr::Block& block);

private:
    using Statements = rtl::Statements;
    Statements assign(const expr::Statement& statement);
    Statements choice(const expr::Statement& statement);
    Statements match(const expr::Statement& statement);

    Statements offer(const expr::Rhs& rhs, const Term& target);
    Statements set(const Term& target, const Term& value);
    bool is_wanted(const Term& target) const;

    /// Bodies under conditions, of which the first that holds runs; a null condition is an else.
    using Bodies = std::vector<std::pair<const expr::Ast*, Statements>>;
    Statements conditions(Bodies bodies);
    struct CaseArm {
        const std::vector<expr::Pattern>* patterns;
        std::function<Statements()> body;
        Location where;
    };
    Statements cases(const expr::Ast& subject, const Location& where,
                     const std::vector<CaseArm>& arms);

    ProcessSite& site_;
    Translator& translator_;
    bool clocked_;
    std::set<std::string> variables_;
};

} // namespace sme::hdl
