// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/rows.hpp"

namespace sme::trace {

/// The declarations of a VCD or FST file of any program.
struct VcdSummary {
    std::string problem;   // why the file cannot be read, for a diagnostic; empty on success
    std::vector<Row> rows; // a group per scope; signals with their names in GTKWave
    /// The times of the first changes, in ticks, ascending; at most `max_times`.
    std::vector<std::uint64_t> times;
    std::uint64_t end = 0; // the last time

    static constexpr std::size_t max_times = 200;
    /// The limit for reading declarations.
    static constexpr std::size_t max_bytes = std::size_t{1} << 28;
};

/// Reads the declarations of a file and some of its times, but not its values. Restores the
/// original names from the comments in our own files.
VcdSummary summary_of_vcd(const std::string& path);

/// Reads declarations from a text instead of a file, for tests.
std::vector<Row> rows_of_declarations(std::string_view text);

} // namespace sme::trace
