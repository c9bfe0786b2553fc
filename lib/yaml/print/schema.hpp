// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sme::yaml {

/// Returns the JSON Schema (draft 7) of the format, from the loader's own tables. Editors use it to
/// complete keys, show their meaning and mark invalid ones. It covers shapes and keys; only the
/// loader checks expressions.
std::string schema();

} // namespace sme::yaml
