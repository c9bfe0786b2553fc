// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "expr/structs.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

/// A value that is known before the run: a text, a map of a struct's fields or a list of an array's
/// elements, which may be values of these kinds again. Null when something was reported.
expr::AstRef read_value(const Node& node, Diagnostics& diagnostics);

/// The value of a tree from `read_value` where nothing says its type: fields and elements have
/// types of their own. Broken, and reported, when one has none: `advice` says what to write where
/// that is a field.
expr::Value value_of(const expr::Ast& ast, expr::Elaborator& elaborator,
                     const std::string& advice = expr::typed_field_advice);

} // namespace sme::yaml
