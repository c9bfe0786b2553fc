// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/rows.hpp"

namespace sme::trace {

/// The declarations of a VCD or FST file by any program.
struct VcdSummary {
    std::string problem;   // why it cannot be read, for a diagnostic; empty when it can
    std::vector<Row> rows; // a group for each scope; signals as GTKWave calls them
    /// When the first changes come, in ticks, ascending; at most `max_times`.
    std::vector<std::uint64_t> times;
    std::uint64_t end = 0; // the last time

    static constexpr std::size_t max_times = 200;
    /// Declarations are read up to here.
    static constexpr std::size_t max_bytes = std::size_t{1} << 28;
};

/// Reads the declarations of a file, and some of its times; not its values. In files of our own the
/// comments on names give them back.
VcdSummary summary_of_vcd(const std::string& path);

/// The words of declarations: as from a file, for tests.
std::vector<Row> rows_of_declarations(std::string_view text);

} // namespace sme::trace
