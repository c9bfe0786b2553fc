// SPDX-License-Identifier: Apache-2.0

#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/commands/counterpart_run.hpp"
#include "cli/commands/random_rules.hpp"
#include "cli/commands/self_pair.hpp"
#include "cli/loading.hpp"
#include "cli/reports/findings.hpp"
#include "export/export.hpp"

namespace sme::cli {

int cosim_command(const Options& options) {
    if (!options.with.empty())
        return run_counterpart(options);
    Comparisons comparisons;
    Options paired = options;
    paired.against = !options.self;
    hdl::Exported exported;
    Diagnostics not_written;
    lockstep::RandomRules rules;
    const auto look = [&](const yaml::Written& network, const Graph& graph) {
        if (options.self)
            exported = hdl::export_network(network.describe(), graph, not_written, {{}, {}, true});
        else
            rules = read_rules(options, network.describe(), graph, not_written);
    };
    const auto compare = [&](yaml::Design& design, verilator::Modules& modules,
                             Diagnostics& diagnostics) {
        for (const Diagnostic& found : not_written.all())
            diagnostics.add(found.code, found.where, found.message);
        if (options.self) {
            design.pairs.clear();
            if (not_written.has_errors() || !add_self(exported, design, modules, diagnostics))
                return;
        }
        for (const Pair& pair : design.pairs)
            comparisons.push_back(lockstep::add_comparison(design.graph, pair));
    };
    LoadHooks hooks;
    hooks.change = compare;
    hooks.look = look;
    const LoadResult result =
        load_network(paired, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return result.exit_code;
    if (result.network->design.pairs.empty()) {
        complain(Code::bad_option, "no process has a second implementation; write 'against: {use: "
                                   "component}' or 'against: {verilog: ...}' in one");
        return exit_code::usage;
    }
    return options.random
               ? run_random(options, *result.network, result.network->design.pairs, rules)
               : run_compared(options, *result.network, comparisons);
}

} // namespace sme::cli
