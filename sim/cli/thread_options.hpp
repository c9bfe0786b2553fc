// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace sme::cli {

/// Makes `run` of --threads, --queue, --orchestration, --adaptive, --wait and --grain. A complaint
/// when the threads are no number, or the grain is for another queue.
std::optional<std::string> read_thread_options(Options& options);

} // namespace sme::cli
