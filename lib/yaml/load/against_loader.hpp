// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Loads the second implementation of a process. `begin` is the index in the graph of the first,
/// which is loaded already. The second reads the same buses and writes its own.
Unit load_against(Context& context, const ProcessSyntax& first, const Shape& shape,
                  std::size_t begin);

/// Marks the names in parameter values of a second implementation as used, whether or not it is
/// loaded.
void use_names_of(const ProcessSyntax& second, Context& context);

} // namespace sme::yaml
