// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace sme::cli {

/// Runs a network several times with random stalls in all channels, and compares the messages of
/// each channel with those of a run without stalls. Prints the findings and returns the exit code.
int compare_stalled_runs(const Options& options);

} // namespace sme::cli
