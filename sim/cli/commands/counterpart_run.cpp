// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/counterpart_run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/reports/findings.hpp"
#include "counterpart/waveform.hpp"
#include "export/top.hpp"

namespace sme::cli {

namespace {

/// The process that --of names, or the only one that there is. Nothing, and reported, otherwise.
std::optional<counterpart::Interface> find_interface(const Options& options,
                                                     const expr::ModuleView& network,
                                                     const Graph& graph, Diagnostics& diagnostics) {
    if (options.of.empty()) {
        if (network.units.size() == 1 && network.units[0].count() == 1)
            return counterpart::interface_of(network.units[0], 0, graph);
        std::vector<std::string> names;
        for (const expr::UnitText& unit : network.units)
            names.push_back(unit.name);
        diagnostics.add(Code::bad_option, network.declared,
                        fmt::format("--with compares one process of '{}'; give it with --of: {}",
                                    network.name, fmt::join(names, ", ")));
        return std::nullopt;
    }
    Diagnostics found;
    const std::optional<hdl::Top> top = hdl::find_top(network, options.of, found);
    if (top)
        return counterpart::interface_of(*top->unit, top->instance(), graph);
    std::vector<std::string> names;
    for (const expr::UnitText& unit : network.units)
        names.push_back(unit.name);
    const std::string near = did_you_mean(options.of, names);
    diagnostics.add(
        Code::bad_option, network.declared,
        fmt::format("--of: no process, instance or component of '{}' is called "
                    "'{}'{}",
                    network.name, options.of,
                    near.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : near));
    return std::nullopt;
}

/// What is not known of a recording, in lines of a report.
std::string lines_of(const counterpart::Recording& recording,
                     const counterpart::Interface& interface) {
    std::uint64_t inputs = 0, outputs = 0;
    std::vector<std::string> missing;
    for (std::size_t p = 0; p < interface.ports.size(); ++p) {
        const counterpart::InterfacePort& port = interface.ports[p];
        (port.output ? outputs : inputs) += recording.ports[p].unknown;
        if (port.output && !recording.ports[p].found)
            missing.push_back(port.name);
    }
    std::string text;
    if (outputs > 0)
        text += fmt::format("  {:<12} {} of outputs, whose x and z were not compared\n", "unknown",
                            outputs);
    if (inputs > 0)
        text += fmt::format("  {:<12} {} of inputs, whose x and z were taken as 0\n", "unknown",
                            inputs);
    if (!missing.empty())
        text += fmt::format("  {:<12} {}\n", "not recorded", fmt::join(missing, ", "));
    if (!recording.ended.empty())
        text += fmt::format("  {:<12} after cycle {}: {}\n", "cut", recording.cycles - 1,
                            recording.ended);
    return text;
}

int run_recorded(const Options& options, const Loaded& loaded,
                 const counterpart::Interface& interface) {
    Diagnostics diagnostics;
    const counterpart::WaveformPlace place{options.with, options.scope, options.clock,
                                           options.reset};
    loaded.files->note_read(options.with);
    const auto recording =
        counterpart::read_recording(place, interface, loaded.design.graph, diagnostics);
    show(diagnostics);
    if (!recording)
        return exit_code::usage;
    counterpart::Replay replay = counterpart::replay_of(
        *recording, interface, fmt::format("waveform '{}'", options.with), loaded.design.graph);
    const std::uint64_t cycles =
        options.cycles ? std::min(*options.cycles, recording->cycles) : recording->cycles;
    return run_alone(options, loaded, std::move(replay.graph), replay.pair, cycles,
                     lines_of(*recording, interface));
}

} // namespace

int run_counterpart(const Options& options) {
    std::optional<counterpart::Interface> interface;
    Diagnostics found;
    LoadHooks hooks;
    hooks.look = [&](const yaml::Written& network, const Graph& graph) {
        interface = find_interface(options, network.describe(), graph, found);
    };
    hooks.change = [&](yaml::Design&, verilator::Modules&, Diagnostics& diagnostics) {
        for (const Diagnostic& each : found.all())
            diagnostics.add(each.code, each.where, each.message);
    };
    const LoadResult result =
        load_network(options, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return result.exit_code;
    return run_recorded(options, *result.network, *interface);
}

} // namespace sme::cli
