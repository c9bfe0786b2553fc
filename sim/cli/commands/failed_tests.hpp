// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/commands/found_tests.hpp"

namespace sme::cli {

/// The labels of the tests that failed when they last ran in this folder; kept in the user's cache.
class FailedTests {
public:
    FailedTests();
    /// Keeps those; all of them if none is known, with a note.
    void select(std::vector<Test>& tests) const;
    void note(const std::string& label, bool failed);
    /// Without a cache, nothing is kept.
    void keep() const;

private:
    std::string file_; // empty: there is no cache
    std::set<std::string> labels_;
};

} // namespace sme::cli
