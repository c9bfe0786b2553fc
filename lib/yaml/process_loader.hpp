// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/declarations.hpp"

namespace sme::yaml {

/// The processes section: each entry becomes a family of processes with its program, and private
/// buses for its states.
void load_processes(const Node& section, Context& context);

} // namespace sme::yaml
