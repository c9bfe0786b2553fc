// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "export/vhdl/expr_text.hpp"

namespace sme::hdl::vhdl {

/// "-- text"
std::string comment_line(const std::string& indent, const std::string& text);

/// Writes statements in VHDL-2008.
class StatementText {
public:
    /// Variables of a scope are assigned with ":=". `names` names the loops.
    StatementText(const Scope& scope, Names& names) : scope_{scope}, expr_{scope}, names_{names} {}

    std::string block(const rtl::Statements& statements, const std::string& indent);

private:
    std::string one(const rtl::Statement& statement, const std::string& indent);
    std::string assign(const rtl::Statement& statement, const std::string& indent);
    std::string assign_moving(const rtl::Statement& statement, const std::string& indent);
    std::string chain(const rtl::Statement& statement, const std::string& indent);
    std::string cases(const rtl::Statement& statement, const std::string& indent);
    std::string tests(const rtl::Statement& statement, const std::string& indent);
    /// Returns the value of a case label, to find duplicates.
    std::string key_of(const rtl::ExprRef& label) const;

    const Scope& scope_;
    ExprText expr_;
    Names& names_;
};

} // namespace sme::hdl::vhdl
