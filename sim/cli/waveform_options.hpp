// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// Returns an error if --show, --wavedrom, --from, --to and --ascii do not fit together.
std::optional<std::string> check_waveform_options(const Options& options);

} // namespace sme::cli
