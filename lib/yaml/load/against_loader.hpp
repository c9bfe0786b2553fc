// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Loads the second implementation of a process, as `body` says under its key 'against'. `begin` is
/// the place in the graph of the first, which is loaded already. It reads what the first reads, and
/// writes buses of its own.
Unit load_against(Context& context, const Node& body, const std::string& name, const Shape& shape,
                  std::size_t begin);

/// Looks at the keys only.
void check_against(const Node& against, Context& context);

} // namespace sme::yaml
