// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// Fills `run` from --threads, --queue, --orchestration, --adaptive, --wait and --grain. Returns an
/// error if the threads are not a number, or the grain does not fit the queue.
std::optional<std::string> read_thread_options(Options& options);

/// Returns an error if --show, --wavedrom, --from, --to and --ascii do not fit together.
std::optional<std::string> check_waveform_options(const Options& options);

} // namespace sme::cli
