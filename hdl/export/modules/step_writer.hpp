// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "export/modules/process_site.hpp"

namespace sme::hdl {

/// Writes a step as statements of Verilog: of all its lines those that assign some variables.
///
/// Lines of a block come first, its if and match blocks after them: what is assigned last stands,
/// as in the language. In the clocked block assignments do not block, so every right-hand side
/// sees the start of the cycle.
class StepWriter {
public:
    /// `variables` are those whose assignments are wanted.
    StepWriter(ProcessSite& site, bool clocked, std::set<std::string> variables)
        : site_{site}, translator_{site.translator()}, clocked_{clocked}, variables_{std::move(
                                                                              variables)} {}

    std::string block(const expr::Block& block, const std::string& indent);

private:
    std::string assign(const expr::Statement& statement, const std::string& indent);
    std::string choice(const expr::Statement& statement, const std::string& indent);
    std::string match(const expr::Statement& statement, const std::string& indent);

    std::string offer(const expr::Rhs& rhs, const Term& target, const std::string& indent);
    std::string set(const Term& target, const Term& value, const std::string& indent);
    bool is_wanted(const Term& target) const;

    /// Bodies under conditions, the first that holds; a null condition is an else.
    using Bodies = std::vector<std::pair<const expr::Ast*, std::string>>;
    std::string conditions(const Bodies& bodies, const std::string& indent);
    struct CaseArm {
        const std::vector<expr::Pattern>* patterns;
        std::function<std::string(const std::string& indent)> body;
        Location where;
    };
    std::string cases(const expr::Ast& subject, const Location& where,
                      const std::vector<CaseArm>& arms, const std::string& indent);

    ProcessSite& site_;
    Translator& translator_;
    bool clocked_;
    std::set<std::string> variables_;
};

} // namespace sme::hdl
