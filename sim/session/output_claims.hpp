// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "expr/observe.hpp"

namespace sme::session {

/// What the network file at a path may write: what stands in its folder, in the current one and in
/// those of `allowed` (or is one of these), and files that are values of its parameters, which the
/// user names.
std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed);

/// Claims a file that is named in a network: false, with a diagnostic there, when it may not be
/// written.
bool claim_output(FileAccess& files, const FileAccess::Wish& wish, const Location& where,
                  Diagnostics& diagnostics);

/// Rows between commas under a line of these columns; an existing file .csv may have other columns.
FileAccess::Wish rows_file(std::string path, const std::vector<std::string>& columns);

/// Claims the file of a recorded output.
bool claim_recording(FileAccess& files, const expr::Recording& recording, Diagnostics& diagnostics);

} // namespace sme::session
