// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads the section checks.
ChecksSyntax read_checks(const Node& section, Diagnostics& diagnostics);

/// Reads the sections that only a network has: clock, inputs, outputs and run.
RunSyntax read_run_sections(const Node& root, Diagnostics& diagnostics);

} // namespace sme::yaml
