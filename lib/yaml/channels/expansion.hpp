// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Returns the sections of a network or component with its channels and actors replaced by buses
/// and processes; `file` itself if it has no channels or actors. The context owns the result. Call
/// it once for each scope, when its names are known. Reports errors in channels and actors.
const FileSyntax& expanded(const FileSyntax& file, Context& context);

} // namespace sme::yaml
