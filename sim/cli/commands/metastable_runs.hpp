// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace sme::cli {

/// Runs a network several times; in each run, values that cross between clock domains arrive at
/// random one edge late. Its checks and expected outputs must hold in each run. Prints the findings
/// and returns the exit code.
int judge_metastable_runs(const Options& options);

} // namespace sme::cli
