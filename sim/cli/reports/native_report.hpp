// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options.hpp"
#include "session/native_run.hpp"

namespace sme::cli {

/// The lines of --stats about native code.
std::string native_report(const Options& options, const session::NativeRun& run);

/// Writes the C code for --emit-c and creates its folder; reports errors. Returns the exit code.
int write_c(const std::string& path, const native::CModule& unit);

} // namespace sme::cli
