// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sme::yaml {

/// The JSON Schema (draft 7) of the format, from the loader's own tables: for editors, which
/// complete keys, show what they mean and mark what does not belong. It knows shapes and keys; what
/// an expression says is the loader's to judge.
std::string schema();

} // namespace sme::yaml
