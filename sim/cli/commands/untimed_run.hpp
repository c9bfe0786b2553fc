// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace sme::cli {

/// `sme run --untimed`; returns the exit code.
int run_untimed(const Options& options);

} // namespace sme::cli
