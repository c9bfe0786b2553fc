// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/syntax/ast.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// Each function prints on one line a text that the parser function named on the right reads as the
/// same tree. It uses no more parentheses than necessary, except around conditionals as operands
/// and around operands mixed with bit operators and shifts. Numbers keep their written form if
/// known, else they are decimal.

std::string print(const Ast& ast);                 // parse_expression, parse_initial
std::string print_target(const Ast& ast);          // parse_target
std::string print(const Guarded& guarded);         // parse_guarded
std::string print(const PropertyText& property);   // parse_property
std::string print(const Declaration& declaration); // parse_declaration
std::string print(const FamilyName& name);         // parse_family_name
std::string print(const FunctionName& name);       // parse_function_name
std::string print(const PrintText& line);          // parse_print
/// "else" for an empty list.
std::string print(const std::vector<Pattern>& patterns); // parse_patterns

} // namespace sme::expr
