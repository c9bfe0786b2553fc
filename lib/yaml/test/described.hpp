// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/design.hpp"

namespace sme::test {

/// A network that was loaded but not instantiated.
struct LoadedText {
    std::optional<yaml::Design> design;
    std::string printed;
    Diagnostics diagnostics;
    /// Everything that a run depends on, line by line: buses, processes, the nodes of every
    /// program, rows, checks, recordings. Without source locations.
    std::vector<std::string> lines;
};

/// `source` is null for a file.
LoadedText load_described(const std::string& path, const SourceRef& source = {},
                          const std::map<std::string, std::string>& parameters = {});

/// Returns the first line that differs, from both; empty if equal.
std::string difference(const LoadedText& a, const LoadedText& b);

} // namespace sme::test
