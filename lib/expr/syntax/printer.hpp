// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/syntax/ast.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// Each gives a text on one line that the function of the parser named below reads as the same
/// thing, with no more parentheses than that takes, but for conditionals as operands, and for what
/// is mixed with operators on bits and shifts. Numbers are written as they were where that is
/// known, else in decimal digits.

std::string print(const Ast& ast);                 // parse_expression, parse_initial
std::string print_target(const Ast& ast);          // parse_target
std::string print(const Guarded& guarded);         // parse_guarded
std::string print(const PropertyText& property);   // parse_property
std::string print(const Declaration& declaration); // parse_declaration
std::string print(const FamilyName& name);         // parse_family_name
std::string print(const FunctionName& name);       // parse_function_name
std::string print(const PrintText& line);          // parse_print
/// "else" for none.
std::string print(const std::vector<Pattern>& patterns); // parse_patterns

} // namespace sme::expr
