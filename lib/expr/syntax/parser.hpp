// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// A value with an optional condition: "expression" or "expression when condition".
struct Guarded {
    AstRef value; // null if unreadable
    AstRef when;  // null: always
};

/// A function name with parameters: "name(a, b)".
struct FunctionName {
    struct Parameter {
        std::string name;
        Location where;
    };
    Location where;
    std::string name;
    std::vector<Parameter> parameters;
};

/// Parses the whole text. On error, each parser reports it and returns null or `nullopt`.
AstRef parse_expression(const Text& text, Diagnostics& diagnostics);
/// Parses an expression that may have ranges in its brackets: "x[k < n]".
AstRef parse_target(const Text& text, Diagnostics& diagnostics);
std::optional<FunctionName> parse_function_name(const Text& text, Diagnostics& diagnostics);
/// Parses the patterns of an arm; empty for "else".
std::optional<std::vector<Pattern>> parse_patterns(const Text& text, Diagnostics& diagnostics);
/// Parses "a", "a then b within 3", "a then b in 2" or "a then b in 2 to 5".
std::optional<PropertyText> parse_property(const Text& text, Diagnostics& diagnostics);
std::optional<Guarded> parse_guarded(const Text& text, Diagnostics& diagnostics);
std::optional<Declaration> parse_declaration(const Text& text, Diagnostics& diagnostics);
/// Parses a declaration, or "channel type".
std::optional<Declaration> parse_port(const Text& text, Diagnostics& diagnostics);
/// Parses "[depth n] [delay n] type".
std::optional<Declaration> parse_channel(const Text& text, Diagnostics& diagnostics);
std::optional<FamilyName> parse_family_name(const Text& text, Diagnostics& diagnostics);
/// Parses an expression, a list or file(...) as it appears after `=`: for constants, parameters and
/// initial values.
AstRef parse_initial(const Text& text, Diagnostics& diagnostics);

} // namespace sme::expr
