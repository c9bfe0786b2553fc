// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// The enumeration under the key "Phase" or "Op u7" with the members of a list: "idle", or
/// "ADD = 0x33". Declares its members. Null when something was reported.
TypeRef read_enumeration(const Node& key, const Node& list, Context& context);

/// The key's part before a space: the name of a type.
Node type_name(const Node& key);

/// Reports buses and states that would begin as 0 though 0 is no member of their type.
void check_initial_members(Context& context);

} // namespace sme::yaml
