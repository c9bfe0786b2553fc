// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace sme::cli {

/// 'sme cosim --with': a process beside a second implementation that the network does not name.
/// The exit code.
int run_counterpart(const Options& options);

} // namespace sme::cli
