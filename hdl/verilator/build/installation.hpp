// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "verilator/build/settings.hpp"

namespace sme::verilator {

/// The Verilator that is installed under the path of a program.
struct Installation {
    std::string root;     // its headers are in include; empty: it did not say
    unsigned version = 0; // 5006 for 5.006; 0: unknown

    std::string version_text() const; // "5.006"; "of an unknown version"
    bool writes_json() const;
    /// Why it cannot be used, a sentence; empty: it can.
    std::string problem() const;
};

/// From the files beside a program, without starting it; else without a root.
Installation installed_beside(const std::string& program);
/// The same; where there are no such files, the program is asked.
Installation installation_of(const Settings& settings);

/// A line on the Verilator of PATH: its version and its path, or that there is none.
std::string described_in_path();

} // namespace sme::verilator
