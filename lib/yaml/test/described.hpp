// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/design.hpp"

namespace sme::test {

/// A network that was loaded, but not made to run.
struct LoadedText {
    std::optional<yaml::Design> design;
    std::string printed;
    Diagnostics diagnostics;
    /// All that running it depends on, line by line: buses, processes, the nodes of every program,
    /// rows, checks, recordings. Not where something stands in which text.
    std::vector<std::string> lines;
};

/// `source` is null for a file.
LoadedText load_described(const std::string& path, const SourceRef& source = {},
                          const std::map<std::string, std::string>& parameters = {});

/// The first line that differs, of both; empty when there is none.
std::string difference(const LoadedText& a, const LoadedText& b);

} // namespace sme::test
