// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// Writes the results and reports that a run was asked for, of a network that cannot be loaded; so
/// those of an earlier run do not stay.
void write_unloaded(const Options& options, const std::string& problem);

} // namespace sme::cli
