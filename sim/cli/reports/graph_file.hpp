// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/files.hpp"
#include "network/picture/diagram.hpp"

namespace sme::cli {

/// What is wrong with the name of a file for a graph, or empty.
std::string bad_graph_name(const std::string& path);

/// A graph as DOT or, with the help of Graphviz, as SVG.
class GraphFile {
public:
    /// Claims the place of the file, so that what cannot be written is said at once. The exit code
    /// that the command ends with here, which has been explained, or fine.
    int open(const std::string& path);
    bool is_open() const { return file_.has_value(); }
    /// Returns an exit code; other than fine, it has been explained.
    int write(const Diagram& diagram);

private:
    std::optional<OutputFile> file_;
};

} // namespace sme::cli
