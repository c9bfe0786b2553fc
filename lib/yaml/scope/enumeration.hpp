// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// The enumeration with the members of an entry of types, whose names it declares. Null when
/// something was reported.
TypeRef make_enumeration(const NamedTypeSyntax& written, Context& context);

/// Reports buses and states that would begin as 0 though 0 is no member of their type.
void check_initial_members(Context& context);

} // namespace sme::yaml
