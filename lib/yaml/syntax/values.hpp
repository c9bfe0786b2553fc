// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// An expression, which is a text; `wanted` is "a condition". Null when something was reported.
expr::AstRef read_expression(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// A value that is known before the run: a text, a map of a struct's fields or a list of an array's
/// elements, which may be values of these kinds again. Its tree is null when something was
/// reported.
ValueSyntax read_value(const Node& node, Diagnostics& diagnostics);

} // namespace sme::yaml
