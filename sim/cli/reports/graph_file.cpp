// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/graph_file.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/find_program.hpp"
#include "base/program.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
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

/// The SVG; nothing when `failed` is the exit code.
std::optional<std::string> drawn(const std::string& dot, int& failed) {
    const std::string graphviz = find_program("dot").value_or("dot");
    const ProgramLimit limit{0, &interrupted()};
    ProgramEnd end = run_program(graphviz, {"-Tsvg"}, ProgramStreams::output_taken, dot, &limit);
    if (end.stopped)
        failed = signal_exit_code();
    else if (!end.problem.empty())
        failed = complain_of_graphviz(end.problem);
    else if (end.exit_code != 0)
        failed = complain_of_graphviz(fmt::format("'{}' ended with {}", graphviz, end.exit_code));
    else
        return std::move(end.output);
    return std::nullopt;
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
        text = drawn(*text, code);
    if (text) {
        file_->write(*text);
        if (!file_->commit()) {
            complain(Code::file_unwritable, file_->problem());
            code = exit_code::file;
        }
    }
    file_.reset(); // what is not whole goes
    return code;
}

} // namespace sme::cli
