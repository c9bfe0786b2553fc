// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "network/picture/diagram.hpp"

namespace sme::cli {

/// Why this file name is unsuitable for a graph, or empty.
std::string bad_graph_name(const std::string& path);

/// A graph file, as DOT or, drawn by Graphviz, as SVG.
class GraphFile {
public:
    /// Claims the file early, to report write errors before the run. Returns `fine`, or the exit
    /// code after reporting the error.
    int open(const std::string& path);
    bool is_open() const { return file_.has_value(); }
    /// Returns `fine`, or the exit code after reporting the error.
    int write(const Diagram& diagram);

private:
    std::optional<OutputFile> file_;
};

} // namespace sme::cli
