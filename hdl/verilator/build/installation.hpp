// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verilator/build/settings.hpp"

namespace sme::verilator {

/// The Verilator installation of a program.
struct Installation {
    std::string root;     // its headers are in include; empty: unknown
    unsigned version = 0; // 5006 for 5.006; 0: unknown

    std::string version_text() const; // "5.006"; "of an unknown version"
    bool writes_json() const;
    /// Returns the reason why it cannot be used, as a sentence; empty if it can.
    std::string problem() const;
};

/// Reads the files beside a program without starting it; without them, the root is empty.
Installation installed_beside(const std::string& program);
/// The same, but asks the program if there are no such files.
Installation installation_of(const Settings& settings);

/// Returns a line about the Verilator in PATH: its version and path, or that it is missing.
std::string described_in_path();

} // namespace sme::verilator
