// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/radixes.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

/// The content of a GTKWave view.
struct View {
    std::vector<Row> rows;
    std::string trace; // the name of the trace file
    std::string save;  // the name of the save file, in the same folder, ending in ".gtkw"
    // the first visible part
    double span_ticks = 0; // 0: the viewer decides
    std::uint64_t begin_ticks = 0;
    std::optional<std::uint64_t> marker_ticks{}; // position of the marker
};

/// Creates the files for GTKWave 3: a translation file for each enumeration, then the save file,
/// which refers to them. Names are relative to the save file, so that all can be moved together.
///
/// Groups are open as far as the screen has room; signals beyond `max_signals` are only in the
/// tree.
inline constexpr std::uint64_t max_signals = 2000;
std::vector<ViewFile> files_of(const View& view);

/// Surfer's folder of value names, below its working folder.
inline constexpr std::string_view mappings_folder = ".surfer/mappings/";

/// Creates the mapping files for Surfer: one per enumeration, each a signal format in Surfer.
std::vector<ViewFile> mapping_files_of(const View& view);

/// The result of writing a file.
struct WriteResult {
    bool kept = false;   // the user has changed the file, so it was left alone
    std::string problem; // empty on success
};

/// Writes a file of a view into a folder (ending in '/', or empty). Keeps an existing file that
/// differs in any byte from a file we wrote, because it belongs to the user, unless `overwrite` is
/// set.
WriteResult write_view_file(const std::string& folder, const ViewFile& file, bool overwrite);

} // namespace sme::trace
