// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/commands/counterpart_run.hpp"
#include "cli/commands/random_rules.hpp"
#include "cli/commands/self_pair.hpp"
#include "cli/loading.hpp"
#include "cli/reports/counted.hpp"
#include "cli/reports/findings.hpp"
#include "export/export.hpp"

namespace sme::cli {

namespace {

/// Runs all comparisons: pairs in the network first, then waveforms.
int run_all(const Options& options, const Loaded& loaded, const Comparisons& comparisons,
            const Counterparts& counterparts, const lockstep::RandomRules& rules) {
    const std::vector<Pair>& pairs = loaded.design.pairs;
    const bool own_inputs = options.random || !options.inputs.empty();
    const bool recorded = counterparts.any_recorded() && !own_inputs;
    if (pairs.empty() && !recorded) {
        complain(Code::bad_option,
                 counterparts.any_recorded()
                     ? fmt::format("{} does not go with waveforms, and no process has another "
                                   "second implementation; leave it out",
                                   options.random ? "--random" : "--inputs")
                     : "no process has a second implementation; write 'against: {use: component}' "
                       "or 'against: {verilog: ...}' in one");
        return exit_code::usage;
    }
    int ended = exit_code::fine;
    if (!pairs.empty())
        ended = options.random ? run_random(options, loaded, pairs, rules)
                : own_inputs   ? run_fed(options, loaded, pairs)
                               : run_compared(options, loaded, comparisons);
    return recorded && ended <= exit_code::model_failed
               ? std::max(ended, counterparts.run_recorded(loaded))
               : ended;
}

/// Adds equal findings only once, at the first place: all calls without hardware are one mistake.
void add_once(const Diagnostics& found, Diagnostics& into) {
    const std::vector<Diagnostic>& all = found.all();
    for (auto each = all.begin(); each != all.end(); ++each) {
        const auto same = [&](const Diagnostic& other) {
            return other.code == each->code && other.message == each->message;
        };
        if (std::any_of(all.begin(), each, same))
            continue;
        Diagnostic& made = into.add(each->code, each->where, each->message);
        made.notes = each->notes;
        if (const auto next = std::find_if(each + 1, all.end(), same); next != all.end())
            made.note(next->where, fmt::format("the same in {} more, this is the next",
                                               counted(static_cast<std::uint64_t>(
                                                           std::count_if(next, all.end(), same)),
                                                       "place", "places")));
    }
}

} // namespace

int cosim_command(const Options& options) {
    Counterparts counterparts{options};
    if (!options.with.empty())
        if (const int refused = counterparts.check(); refused != exit_code::fine)
            return refused;
    Comparisons comparisons;
    Options paired = options;
    paired.against = !options.self && options.with.empty();
    hdl::Exported exported;
    Diagnostics before;
    lockstep::RandomRules rules;
    LoadHooks hooks;
    hooks.look = [&](const yaml::Written& network, const Graph& graph) {
        if (options.self) {
            exported =
                hdl::export_network(network.describe(), graph, before, {options.top, {}, true});
            return;
        }
        counterparts.look(network, graph, before);
        rules = read_rules(options, network, graph, before);
    };
    hooks.change = [&](yaml::Design& design, verilator::Modules& modules,
                       Diagnostics& diagnostics) {
        add_once(before, diagnostics);
        if (options.self) {
            design.pairs.clear();
            if (before.has_errors() ||
                !add_self(exported, options.top, design, modules, diagnostics))
                return;
        }
        for (const Pair& pair : design.pairs)
            comparisons.push_back(lockstep::add_comparison(design.graph, pair));
    };
    const LoadResult result =
        load_network(paired, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return result.exit_code;
    return run_all(options, *result.network, comparisons, counterparts, rules);
}

} // namespace sme::cli
