// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads the section processes.
std::vector<ProcessSyntax> read_processes(const Node& section, Diagnostics& diagnostics);

/// Reads state, let, reset, step and checks of a process or a component.
BodySyntax read_body(const Node& body, Diagnostics& diagnostics);

/// Parses the text after the name of a declaration.
using ReadDeclaration = std::optional<expr::Declaration> (*)(const expr::Text& text,
                                                             Diagnostics& diagnostics);

/// Reads buses, channels or ports; `wanted` describes the text after a name, "a type". Skips an
/// entry without a name.
std::vector<DeclarationSyntax> read_declarations(const Node& section, std::string_view what,
                                                 std::string_view wanted, Diagnostics& diagnostics,
                                                 ReadDeclaration read = expr::parse_declaration);

} // namespace sme::yaml
