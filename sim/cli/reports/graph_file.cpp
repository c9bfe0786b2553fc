// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/graph_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/find_program.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/drawing.hpp"
#include "cli/reports/findings.hpp"
#include "network/picture/dot.hpp"

namespace sme::cli {

namespace {

bool is_svg(const std::string& path) {
    return path.ends_with(".svg");
}

int complain_of_graphviz(const std::string& problem) {
    fmt::print(stderr,
               "error: {}; an SVG is drawn by Graphviz's 'dot', a DOT file (FILE.dot) needs no "
               "other program\n",
               shown_text(problem));
    return exit_code::building;
}

} // namespace

std::string bad_graph_name(const std::string& path) {
    if (is_svg(path) || path.ends_with(".dot") || path.ends_with(".gv"))
        return {};
    return fmt::format("a graph is written as DOT or SVG, but this is '{}'; name it FILE.dot or "
                       "FILE.svg",
                       path);
}

int GraphFile::open(const std::string& path) {
    if (is_svg(path) && !find_program("dot"))
        return complain_of_graphviz("there is no program 'dot' (Debian: apt-get install graphviz)");
    if (file_.emplace(path).good())
        return exit_code::fine;
    complain(Code::file_unwritable, file_->problem());
    return exit_code::file;
}

int GraphFile::write(const Diagram& diagram) {
    int code = exit_code::fine;
    std::optional<std::string> text = to_dot(diagram);
    if (is_svg(file_->path()))
        text = drawn_by(find_program("dot").value_or("dot"), {"-Tsvg"}, *text, complain_of_graphviz,
                        code);
    if (text && is_svg(file_->path())) // keeps sloping edges away from their labels
        text->insert(std::min(text->find("<g "), text->size()),
                     "<style>.edge text{paint-order:stroke;stroke:#fff;stroke-width:4px;"
                     "stroke-linejoin:round}</style>\n");
    if (text) {
        file_->write(*text);
        if (!file_->commit()) {
            complain(Code::file_unwritable, file_->problem());
            code = exit_code::file;
        }
    }
    file_.reset(); // removes the partial file
    return code;
}

} // namespace sme::cli
