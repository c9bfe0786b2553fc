// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"
#include "session/native_run.hpp"

namespace sme::cli {

/// What ran, for --stats: lines.
std::string native_report(const Options& options, const session::NativeRun& run);

/// Writes the C for --emit-c, in a folder that is made; complains when it cannot. The exit code.
int write_c(const std::string& path, const native::CModule& unit);

} // namespace sme::cli
