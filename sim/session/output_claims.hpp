// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "expr/process/observe.hpp"

namespace sme::session {

/// The files that the network file at a path may write: files in its folder, in the current folder
/// and in the folders of `allowed`, the files of `allowed` itself, and files that the user names as
/// values of parameters.
std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed);

/// Claims a file that a network names. Returns false, with a diagnostic at that place, when the
/// network may not write it.
bool claim_output(FileAccess& files, const FileAccess::Wish& wish, const Location& where,
                  Diagnostics& diagnostics);

/// Claims the file of a recorded output; with `resumes` also that which keeps what an earlier run
/// recorded until the file is complete.
bool claim_recording(FileAccess& files, const expr::Recording& recording, bool resumes,
                     Diagnostics& diagnostics);

} // namespace sme::session
