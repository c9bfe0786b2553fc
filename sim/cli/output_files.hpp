// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/file_access.hpp"
#include "cli/loading.hpp"

namespace sme::cli {

/// What a command with these options may read and write, before its network is read.
std::shared_ptr<FileAccess> file_access(const Options& options);

/// The file that --emit-c writes.
std::string c_path(const Options& options, const Loaded& loaded);

/// Claims every file that a run writes, with its waveform at `trace` (empty: none). The exit code
/// when one of them may not be written, which has been said; or fine.
int claim_outputs(const Options& options, const Loaded& loaded, const std::string& trace);

/// Claims one file that a command writes, in the same way.
int claim_output(FileAccess& files, const FileAccess::Wish& wish);

} // namespace sme::cli
