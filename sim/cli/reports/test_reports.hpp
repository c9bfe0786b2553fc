// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coverage/lcov.hpp"

namespace sme::cli {

/// The outcome of a test.
struct TestResult {
    enum class State : std::uint8_t { passed, failed, left_out, not_loaded };
    std::string network, name;
    State state = State::left_out;
    double seconds = 0;
    std::string explanation; // of a failure: what its run said, and how to repeat it; or the errors
    std::string waves;       // of a failure: the last cycles
};

/// A cover of a network, over all its tests.
struct CoverResult {
    std::string network, place, text;
    std::uint64_t held = 0; // times, in all tests
    std::size_t tests = 0;  // in which it held
};

/// Says that no test has reached a cover.
std::string missing_text(const CoverResult& cover);

/// What `sme test` has found out; or a run, of a network that cannot be loaded.
struct TestReport {
    std::string title = "sme test";
    std::string command;
    std::vector<TestResult> tests;
    std::vector<CoverResult> covers;
    std::optional<coverage::LineCoverage> lines;

    std::size_t count(TestResult::State state) const;
    bool covers_all() const;

    /// JUnit XML: a case for each test, and one for the covers of each network.
    std::string junit() const;
    /// A page for a browser, in one file.
    std::string page() const;
};

} // namespace sme::cli
