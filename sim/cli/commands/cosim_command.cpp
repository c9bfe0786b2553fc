// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/commands/counterpart_run.hpp"
#include "cli/commands/self_pair.hpp"
#include "cli/loading.hpp"
#include "cli/reports/findings.hpp"
#include "export/export.hpp"
#include "lockstep/isolated.hpp"
#include "lockstep/random_values.hpp"

namespace sme::cli {

namespace {

/// Each pair alone, one after another, with random values. The worst exit code.
int run_random(const Options& options, const Loaded& loaded) {
    int worst = exit_code::fine;
    for (const Pair& pair : loaded.design.pairs) {
        Pair moved = pair;
        Graph graph = lockstep::isolated(loaded.design.graph, moved);
        lockstep::add_random_values(graph, options.run.seed);
        worst =
            std::max(worst, run_alone(options, loaded, std::move(graph), moved, *options.random));
        if (worst > exit_code::model_failed)
            break;
    }
    return worst;
}

} // namespace

int cosim_command(const Options& options) {
    if (!options.with.empty())
        return run_counterpart(options);
    Comparisons comparisons;
    Options paired = options;
    paired.against = !options.self;
    hdl::Exported exported;
    Diagnostics not_written;
    const auto write = [&](const yaml::Written& network, const Graph& graph) {
        exported = hdl::export_network(network.describe(), graph, not_written, {{}, {}, true});
    };
    const auto compare = [&](yaml::Design& design, verilator::Modules& modules,
                             Diagnostics& diagnostics) {
        if (options.self) {
            for (const Diagnostic& found : not_written.all())
                diagnostics.add(found.code, found.where, found.message);
            design.pairs.clear();
            if (not_written.has_errors() || !add_self(exported, design, modules, diagnostics))
                return;
        }
        for (const Pair& pair : design.pairs)
            comparisons.push_back(lockstep::add_comparison(design.graph, pair));
    };
    LoadHooks hooks;
    hooks.change = compare;
    if (options.self)
        hooks.look = write;
    const LoadResult result =
        load_network(paired, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return result.exit_code;
    if (result.network->design.pairs.empty()) {
        complain(Code::bad_option, "no process has a second implementation; write 'against: {use: "
                                   "component}' or 'against: {verilog: ...}' in one");
        return exit_code::usage;
    }
    return options.random ? run_random(options, *result.network)
                          : run_compared(options, *result.network, comparisons);
}

} // namespace sme::cli
