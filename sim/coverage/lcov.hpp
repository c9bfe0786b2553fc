// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sme::coverage {

/// One way that a line can go.
struct Branch {
    unsigned block;  // which of the line's decisions
    unsigned number; // which of its ways
    std::uint64_t taken = 0;
    bool reached = false; // whether the decision was ever made
};

/// What is counted in one source file.
struct FileCoverage {
    std::map<std::uint32_t, std::uint64_t> lines; // number → how often
    std::map<std::uint32_t, std::vector<Branch>> branches;

    std::uint64_t lines_hit() const;
    std::uint64_t branches_found() const;
    std::uint64_t branches_hit() const;
};

/// By the path of the file.
using LineCoverage = std::map<std::string, FileCoverage>;

/// A tracefile as lcov's geninfo(1) describes it: `genhtml` shows it on the lines of the sources.
/// Paths are made absolute, for readers that stand elsewhere.
std::string lcov_text(const LineCoverage& coverage, const std::string& test);

} // namespace sme::coverage
