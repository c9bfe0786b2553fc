// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads an expression, which is a text; `wanted` is "a condition". Null after an error was
/// reported.
expr::AstRef read_expression(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Reads a value known before the run: a text, a map of a struct's fields or a list of an array's
/// elements, nested to any depth. Its tree is null after an error was reported.
ValueSyntax read_value(const Node& node, Diagnostics& diagnostics);

/// Returns the text from byte `begin` on, such as the text after the word of a key.
expr::Text tail(const expr::Text& text, std::size_t begin);

/// Reads a right-hand side: a text, a list, a map of fields, or if/elif/else.
expr::Rhs read_rhs(const Node& node, Diagnostics& diagnostics);

/// Reads one entry of a `let`: "name" or "name[k < n]", and its right-hand side.
std::optional<expr::LetText> read_let(const Node& key, const Node& value, Diagnostics& diagnostics);

/// Reads a step: a map, or a list of maps.
expr::Block read_step(const Node& node, Diagnostics& diagnostics);

} // namespace sme::yaml
