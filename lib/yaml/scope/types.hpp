// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Makes the enumeration of an entry of types, and declares the names of its members. Null after an
/// error was reported.
TypeRef make_enumeration(const NamedTypeSyntax& written, Context& context);

/// Reports buses and states that would start at 0 although 0 is not a member of their type.
void check_initial_members(Context& context);

} // namespace sme::yaml
