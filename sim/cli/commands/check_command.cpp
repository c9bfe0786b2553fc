// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/loading.hpp"
#include "cli/reports/summary.hpp"
#include "lockstep/comparison.hpp"

namespace sme::cli {

int check_command(const Options& options) {
    LoadHooks hooks;
    hooks.change = [](yaml::Design& design, verilator::Modules&, Diagnostics&) {
        for (const Pair& pair : design.pairs) // printed pairs count as read, as in a comparison
            lockstep::add_comparison(design.graph, pair);
    };
    std::string printed;
    if (options.print)
        hooks.look = [&](const yaml::Written& network, const Graph&) { printed = network.print(); };
    const LoadResult result =
        load_network(options, verilator::Modules::Purpose::look, std::move(hooks));
    if (result.library)
        fmt::print("{}: a library, no errors\n", options.network);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    if (options.print) {
        fmt::print("{}", printed);
        return exit_code::fine;
    }
    const Graph& graph = loaded->design.graph;
    fmt::print("{}: {}, no errors\n", graph.name, size_of(graph));
    return exit_code::fine;
}

} // namespace sme::cli
