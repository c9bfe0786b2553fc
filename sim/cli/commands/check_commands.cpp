// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/graph_file.hpp"
#include "cli/reports/results.hpp"
#include "cli/terminal.hpp"
#include "cut/cut.hpp"
#include "engine/ranks/rank_shares.hpp"
#include "lockstep/comparison.hpp"
#include "network/picture/diagram.hpp"

namespace sme::cli {

int check_command(const Options& options) {
    if (options.print && options.design) {
        report_error(Code::bad_option, "give one of --print and --design");
        return exit_code::usage;
    }
    std::string printed;
    struct Kept {
        std::vector<std::shared_ptr<const void>> leftovers;
        LoadResult result;
    };
    static Kept& kept = *new Kept; // never freed: the program ends soon
    const auto load = [&](bool keeps_loops) {
        LoadSettings settings;
        settings.leftovers = &kept.leftovers;
        settings.loads_again = keeps_loops;
        if (keeps_loops)
            settings.loops_from = 1;
        settings.change = [](yaml::Design& design, VerilogModules&, Diagnostics&) {
            for (const Pair& pair : design.pairs) // printed pairs count as read, as in a comparison
                lockstep::add_comparison(design.graph, pair);
        };
        settings.look = [&](const yaml::SourceView& network, const Graph&) {
            if (options.print || options.design)
                printed = options.print ? network.print() : network.design();
        };
        return load_network(options, VerilogModules::Purpose::look, std::move(settings));
    };
    LoadResult& result = kept.result;
    result = load(options.design);
    if (options.design && !result.network && !result.library)
        result = load(false); // with loops it is not always possible
    if (result.library && options.design) {
        report_error(Code::bad_option,
                     fmt::format("'{}' is a library, which has no design; give a network or a "
                                 "component",
                                 options.network));
        return exit_code::usage;
    }
    if (result.library)
        fmt::print("{}: a library, no errors\n", options.network);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    if (options.print || options.design) {
        fmt::print("{}", printed);
        return exit_code::fine;
    }
    const Graph& graph = loaded->design.graph;
    fmt::print("{}: {}, no errors\n", graph.name, size_of(graph));
    return exit_code::fine;
}

namespace {

int print_dot(const Diagram& diagram) {
    const std::string dot = to_dot(diagram);
    std::fwrite(dot.data(), 1, dot.size(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return exit_code::fine;
    return output_failed(errno);
}

/// Returns the state machine of a process; null after an error was reported.
const Diagram* find_machine(const std::string& process, const yaml::Design& design) {
    std::vector<std::string> names;
    for (const Diagram& machine : design.machines) {
        if (machine.name == process)
            return &machine;
        names.push_back(machine.name);
    }
    const std::string near = did_you_mean(process, names);
    report_error(Code::bad_option,
                 fmt::format("--states: no process '{}' has a sequence{}", process,
                             !near.empty()   ? near
                             : names.empty() ? "; nor has any other"
                                             : fmt::format("; {}", fmt::join(names, ", "))));
    return nullptr;
}

} // namespace

int graph_command(const Options& options) {
    const std::string& path = options.output;
    if (!path.empty())
        if (const std::string problem = bad_graph_name(path); !problem.empty()) {
            report_error(Code::bad_option, problem);
            return exit_code::usage;
        }
    if (options.rank_counts.size() > 1) {
        report_error(Code::bad_option, "--ranks of 'sme graph' is one whole number");
        return exit_code::usage;
    }
    const LoadResult result = load_network(options);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    const Diagram* machine = nullptr;
    if (const std::string& process = options.drawn_machine; !process.empty()) {
        machine = find_machine(process, loaded->design);
        if (!machine)
            return exit_code::usage;
    }
    const auto drawn = [&] {
        if (machine)
            return *machine;
        const Graph& graph = loaded->design.graph;
        const Writers& writers = loaded->analysis.writers;
        Diagram diagram = diagram_of(graph, writers, {options.draw_checks});
        if (options.rank_counts.empty())
            return diagram;
        const auto shares = engine::RankShares::of(graph, writers, Cut::of(graph, writers), {},
                                                   options.rank_counts[0]);
        add_ranks(diagram, graph, [&](std::uint32_t family, const RankPiece& visit) {
            shares.for_each_piece(family, {0, graph.processes[family].count}, visit);
        });
        return diagram;
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
