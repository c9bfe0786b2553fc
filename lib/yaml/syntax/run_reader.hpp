// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// What only a network has: the sections clock, inputs, outputs and run.
RunSyntax read_run_sections(const Node& root, Diagnostics& diagnostics);

} // namespace sme::yaml
