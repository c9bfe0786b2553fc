// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/process/hierarchy.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// A network that was loaded into a scope without an error, described without YAML. It is valid as
/// long as the scope.
expr::ScopeText describe_scope(const FileSyntax& file, Context& context);

} // namespace sme::yaml
