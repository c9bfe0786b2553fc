// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The sections of a network or component with buses and processes in the place of channels and
/// actors; the same file when it has none. What is made belongs to the context. Once for each
/// scope, when its names are known. Reports what is wrong with channels and actors.
const FileSyntax& expanded(const FileSyntax& file, Context& context);

} // namespace sme::yaml
