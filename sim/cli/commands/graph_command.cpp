// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/find_program.hpp"
#include "base/program.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/output_kinds.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "network/picture/dot.hpp"

namespace sme::cli {

namespace {

/// Writes to the file that was asked for, or to standard output.
int write_picture(const std::string& path, const std::string& picture) {
    if (path.empty()) {
        std::fwrite(picture.data(), 1, picture.size(), stdout);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
            return exit_code::fine;
        return output_failed(errno);
    }
    catch_signals(); // no part of a file stays
    OutputFile file{path};
    file.write(picture);
    if (file.commit())
        return interrupted() ? signal_exit_code() : exit_code::fine;
    complain(Code::file_unwritable, file.problem());
    return exit_code::file;
}

int complain_of_graphviz(const std::string& problem) {
    fmt::print(stderr,
               "error: {}; an SVG is drawn by Graphviz's 'dot', a DOT file (-o FILE.dot) needs no "
               "other program\n",
               shown_text(problem));
    return exit_code::building;
}

int write_svg(const std::string& path, const std::string& dot) {
    const std::optional<std::string> graphviz = find_program("dot");
    if (!graphviz)
        return complain_of_graphviz("there is no program 'dot' (Debian: apt-get install graphviz)");
    catch_signals();
    const ProgramLimit limit{0, &interrupted()};
    const ProgramEnd end =
        run_program(*graphviz, {"-Tsvg"}, ProgramStreams::output_taken, dot, &limit);
    if (end.stopped)
        return signal_exit_code();
    if (!end.problem.empty())
        return complain_of_graphviz(end.problem);
    if (end.exit_code != 0)
        return complain_of_graphviz(fmt::format("'{}' ended with {}", *graphviz, end.exit_code));
    return write_picture(path, end.output);
}

} // namespace

int graph_command(const Options& options) {
    const std::string& path = options.output;
    const bool svg = path.ends_with(".svg");
    if (!path.empty() && !svg && !path.ends_with(".dot") && !path.ends_with(".gv")) {
        complain(Code::bad_option,
                 fmt::format("a graph is written as DOT or SVG, but this is '{}'; name it FILE.dot "
                             "or FILE.svg",
                             path));
        return exit_code::usage;
    }
    const LoadResult result = load_network(options);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    if (!path.empty())
        if (const int refused = claim_output(*loaded->files, graph_file(path));
            refused != exit_code::fine)
            return refused;
    const std::string dot =
        to_dot(diagram_of(loaded->design.graph, loaded->analysis.writers, {options.draw_checks}));
    return svg ? write_svg(path, dot) : write_picture(path, dot);
}

} // namespace sme::cli
