// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads an expression, which is a text; `wanted` is "a condition". Null after an error was
/// reported.
expr::AstRef read_expression(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Reads a value known before the run: a text, a map of a struct's fields or a list of an array's
/// elements, nested to any depth. Its tree is null after an error was reported.
ValueSyntax read_value(const Node& node, Diagnostics& diagnostics);

} // namespace sme::yaml
