// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/rows.hpp"
#include "trace/view/value_names.hpp"

namespace sme::trace {

/// What GTKWave is to show.
struct View {
    std::vector<Row> rows;
    std::string trace; // the name of the trace file
    std::string save;  // the name of the save file, in the same folder, ending in ".gtkw"
    // what the window shows at first
    double span_ticks = 0; // 0: the viewer decides
    std::uint64_t begin_ticks = 0;
    std::optional<std::uint64_t> marker_ticks{}; // where the marker stands
};

/// The files for GTKWave 3: for each enumeration one that translates its values, then the save
/// file, which refers to them. Names are relative to the save file, wherever it is moved with them.
///
/// Groups open and close as the screen has room; past `max_signals` the rest is left to the tree.
inline constexpr std::uint64_t max_signals = 2000;
std::vector<ViewFile> files_of(const View& view);

/// Where Surfer looks for names of values, below the folder in which it is started.
inline constexpr std::string_view mappings_folder = ".surfer/mappings/";

/// The mapping files for Surfer: one for each enumeration, which it offers as a format of signals.
std::vector<ViewFile> mapping_files_of(const View& view);

/// What became of a file that was to be written.
struct Written {
    bool kept = false;   // the user has changed it: it stays as it is
    std::string problem; // empty when all went well
};

/// Writes a file of a view into a folder (ending in '/', or empty). A file that exists and that is
/// not, byte by byte, what we once wrote belongs to the user: it is kept, unless `overwrite`.
Written write_view_file(const std::string& folder, const ViewFile& file, bool overwrite);

} // namespace sme::trace
