// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "expr/process.hpp"
#include "yaml/declarations.hpp"

namespace sme::yaml {

/// Gives an array state its memory in the family. `state.declared` is where it stands.
void add_memory(expr::StateText& state, TypeRef type, std::vector<std::byte> initial,
                Context& context, ProcessFamily& family);

/// Gives any other state a private bus that holds its value, written and read by the process alone.
void add_slot(expr::StateText& state, const TypeRef& type, std::vector<std::byte> initial,
              Context& context, ProcessFamily& family);

} // namespace sme::yaml
