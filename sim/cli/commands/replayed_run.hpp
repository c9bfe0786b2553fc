// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "export/export.hpp"

namespace sme::cli {

/// Loads a network that is to be written: gives it to `write` before its modules are built. What
/// that adds to `found` is among what loading finds. Its run records nothing.
LoadResult load_to_export(const Options& options, const Diagnostics& found,
                          const std::function<void(const expr::ModuleView&, const Graph&)>& write);

/// A run whose buses a test bench of the exported network is to replay.
struct ReplayedRun {
    int exit_code; // else than `fine`, all else is empty
    std::vector<hdl::ExportedFile> values;
    std::uint64_t cycles = 0;
};
/// Runs a network and keeps what is on its buses; complains of what is too much.
ReplayedRun replayed_run(const Options& options, const Loaded& loaded,
                         const hdl::Exported& exported);

/// Writes files into a folder, and last of all `list`, a file that names them: so no list stands in
/// the folder of which some files are older. Returns what went wrong.
std::string write_listed(const std::string& folder, const hdl::ExportedFile& list,
                         const std::vector<const std::vector<hdl::ExportedFile>*>& files);

} // namespace sme::cli
