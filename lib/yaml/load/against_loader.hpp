// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Loads the second implementation of a process. `begin` is the place in the graph of the first,
/// which is loaded already. It reads what the first reads, and writes buses of its own.
Unit load_against(Context& context, const ProcessSyntax& first, const Shape& shape,
                  std::size_t begin);

/// Names in values for the parameters of a second implementation count as used, whether it is
/// loaded or not.
void use_names_of(const ProcessSyntax& second, Context& context);

} // namespace sme::yaml
