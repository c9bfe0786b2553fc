// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "expr/observe.hpp"

namespace sme::session {

/// Claims a file that is named in a network: false, with a diagnostic there, when it may not be
/// written.
bool claim_output(FileAccess& files, const FileAccess::Wish& wish, const Location& where,
                  Diagnostics& diagnostics);

/// Rows between commas under a line of these columns; an existing file .csv may have other columns.
FileAccess::Wish rows_file(std::string path, const std::vector<std::string>& columns);

/// Claims the file of a recorded output.
bool claim_recording(FileAccess& files, const expr::Recording& recording, Diagnostics& diagnostics);

} // namespace sme::session
