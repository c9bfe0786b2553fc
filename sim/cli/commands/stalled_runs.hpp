// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace sme::cli {

/// Runs a network in which all channels stall at random times, several times, and compares what
/// went over each channel with a run in which none does. Prints what it finds; the exit code.
int compare_stalled_runs(const Options& options);

} // namespace sme::cli
