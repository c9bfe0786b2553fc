// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/graph_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "network/picture/diagram.hpp"

namespace sme::cli {

std::optional<std::string> drawn_by(const std::string& program,
                                    const std::vector<std::string>& arguments,
                                    const std::string& text,
                                    int (*report_error)(const std::string& problem), int& failed) {
    // an interrupted run is drawn, too; a second signal ends the command
    const ProgramLimit limit{0, interrupted() ? nullptr : &interrupted()};
    ProgramEnd end = run_program(program, arguments, ProgramStreams::output_taken, text, &limit);
    if (end.stopped)
        failed = signal_exit_code();
    else if (!end.problem.empty())
        failed = report_error(end.problem);
    else if (end.exit_code != 0)
        failed = report_error(fmt::format("'{}' ended with {}", program, end.exit_code));
    else if (end.output.find("<svg") == std::string::npos)
        failed = report_error(fmt::format("'{}' drew nothing", program));
    else
        return std::move(end.output);
    return std::nullopt;
}

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

int GraphFile::open(const std::string& path) {
    if (is_svg(path) && !find_program("dot"))
        return complain_of_graphviz("there is no program 'dot' (Debian: apt-get install graphviz)");
    if (file_.emplace(path).good())
        return exit_code::fine;
    report_error(Code::file_unwritable, file_->problem());
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
            report_error(Code::file_unwritable, file_->problem());
            code = exit_code::file;
        }
    }
    file_.reset(); // removes the partial file
    return code;
}

int RunGraph::open(const Options& options, engine::Engine& engine) {
    if (options.graph.empty() && options.page.empty())
        return exit_code::fine;
    observer_ = std::make_unique<coverage::ActivityObserver>();
    engine.attach(*observer_);
    return options.graph.empty() ? exit_code::fine : file_.open(options.graph);
}

int RunGraph::write(const Loaded& loaded) {
    if (!file_.is_open())
        return exit_code::fine;
    DiagramOptions options;
    options.activity = activity();
    return file_.write(diagram_of(loaded.design.graph, loaded.analysis.writers, options));
}

} // namespace sme::cli
