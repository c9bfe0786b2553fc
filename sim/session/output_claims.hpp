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

/// Returns the permissions of the network file at a path: it may write files in its folder, in the
/// current folder and in the folders of `allowed`, the files of `allowed` itself, and files that
/// the user gives as values of parameters.
std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed);

/// Claims a file that a network names. If the network may not write it, adds a diagnostic at
/// `where` and returns false.
bool claim_output(FileAccess& files, const FileAccess::Wish& wish, const Location& where,
                  Diagnostics& diagnostics);

/// Claims the file of a recorded output; with `resumes` also the file that keeps the rows of an
/// earlier run until the output is complete.
bool claim_recording(FileAccess& files, const expr::Recording& recording, bool resumes,
                     Diagnostics& diagnostics);

} // namespace sme::session
