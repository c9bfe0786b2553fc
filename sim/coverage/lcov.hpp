// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sme::coverage {

/// One branch of a line.
struct Branch {
    unsigned block;  // number of the decision in the line
    unsigned number; // number of the branch in the decision
    std::uint64_t taken = 0;
    bool reached = false; // true if the decision was evaluated at least once
};

/// The counts of one source file.
struct FileCoverage {
    std::map<std::uint32_t, std::uint64_t> lines; // line number → count
    std::map<std::uint32_t, std::vector<Branch>> branches;

    std::uint64_t lines_hit() const;
    std::uint64_t branches_found() const;
    std::uint64_t branches_hit() const;
};

/// By file path.
using LineCoverage = std::map<std::string, FileCoverage>;

/// Writes a tracefile in the format of lcov's geninfo(1), which `genhtml` shows beside the source
/// lines. Makes paths absolute, for readers in other folders.
std::string lcov_text(const LineCoverage& coverage, const std::string& test);

/// Adds the counts of such a text, as `lcov_text` writes it.
void add_lcov(std::string_view text, LineCoverage& to);

} // namespace sme::coverage
