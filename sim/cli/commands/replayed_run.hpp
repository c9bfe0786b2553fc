// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "export/export.hpp"

namespace sme::cli {

/// Loads a network for export, and passes it to `write` before its modules are built. Diagnostics
/// that `write` adds to `found` count as those of loading. The run of the network records nothing.
LoadResult load_to_export(const Options& options, const Diagnostics& found,
                          const std::function<void(const expr::ModuleView&, const Graph&)>& write);

/// A run that the test bench of the exported network replays.
struct ReplayedRun {
    int exit_code; // if not `fine`, all else is empty
    std::vector<hdl::ExportedFile> values;
    std::uint64_t cycles = 0;
};
/// Runs a network and records its buses; reports an error if the record is too large.
ReplayedRun replayed_run(const Options& options, const Loaded& loaded,
                         const hdl::Exported& exported);

/// Writes files into a folder, and finally `list`, the file that names them; thus a list in the
/// folder never names outdated files. Returns the error message.
std::string write_listed(const std::string& folder, const hdl::ExportedFile& list,
                         const std::vector<const std::vector<hdl::ExportedFile>*>& files);

} // namespace sme::cli
