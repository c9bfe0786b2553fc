// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// The section processes.
std::vector<ProcessSyntax> read_processes(const Node& section, Diagnostics& diagnostics);

/// state, let, reset, step and checks of a process or a component.
BodySyntax read_body(const Node& body, Diagnostics& diagnostics);

/// Reads what follows the name of a declaration.
using ReadDeclaration = std::optional<expr::Declaration> (*)(const expr::Text& text,
                                                             Diagnostics& diagnostics);

/// Buses, channels or ports; `wanted` is what follows a name, "a type". An entry without a name is
/// left out.
std::vector<DeclarationSyntax> read_declarations(const Node& section, std::string_view what,
                                                 std::string_view wanted, Diagnostics& diagnostics,
                                                 ReadDeclaration read = expr::parse_declaration);

} // namespace sme::yaml
