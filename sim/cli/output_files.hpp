// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_access.hpp"
#include "cli/loading.hpp"

namespace sme::cli {

/// The files that a command with these options may read and write, before it reads its network.
std::shared_ptr<FileAccess> file_access(const Options& options);

/// The file that --emit-c writes.
std::string c_path(const Options& options, const Loaded& loaded);

/// Claims every file that a run writes, with its waveform at `trace` (empty: no waveform). Returns
/// `fine`, or the exit code after reporting a file that may not be written.
int claim_outputs(const Options& options, const Loaded& loaded, const std::string& trace);

/// Claims one output file of a command, in the same way.
int claim_output(FileAccess& files, const FileAccess::Wish& wish);

} // namespace sme::cli
