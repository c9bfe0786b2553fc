// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>

#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/output_kinds.hpp"
#include "cli/reports/findings.hpp"
#include "cli/reports/graph_file.hpp"
#include "cli/signals.hpp"
#include "network/picture/dot.hpp"

namespace sme::cli {

namespace {

int print_dot(const Diagram& diagram) {
    const std::string dot = to_dot(diagram);
    std::fwrite(dot.data(), 1, dot.size(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return exit_code::fine;
    return output_failed(errno);
}

} // namespace

int graph_command(const Options& options) {
    const std::string& path = options.output;
    if (!path.empty())
        if (const std::string problem = bad_graph_name(path); !problem.empty()) {
            complain(Code::bad_option, problem);
            return exit_code::usage;
        }
    const LoadResult result = load_network(options);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    const auto drawn = [&] {
        return diagram_of(loaded->design.graph, loaded->analysis.writers, {options.draw_checks});
    };
    if (path.empty())
        return print_dot(drawn());
    if (const int refused = claim_output(*loaded->files, graph_file(path));
        refused != exit_code::fine)
        return refused;
    catch_signals(); // a signal leaves no partial file
    GraphFile file;
    if (const int failed = file.open(path); failed != exit_code::fine)
        return failed;
    if (const int failed = file.write(drawn()); failed != exit_code::fine)
        return failed;
    return interrupted() ? signal_exit_code() : exit_code::fine;
}

} // namespace sme::cli
