// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/counterpart_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/find_program.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/commands/random_rules.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "counterpart/class_program.hpp"
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

/// A folder for one command.
class BuildFolder {
public:
    BuildFolder() {
        std::error_code error;
        path_ = (std::filesystem::temp_directory_path(error) / "sme-class-XXXXXX").string();
        if (!::mkdtemp(path_.data()))
            path_.clear();
    }
    ~BuildFolder() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    BuildFolder(const BuildFolder&) = delete;
    BuildFolder& operator=(const BuildFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The place of ':' before the class in "FILE:CLASS"; npos when there is none.
std::size_t class_colon(const std::string& with) {
    std::size_t at = with.find(':');
    while (at != std::string::npos && with.compare(at, 2, "::") == 0)
        at = with.find(':', at + 2);
    return at;
}

/// 'FILE.cpp:CLASS': in its network, or alone with random values.
class ClassRun {
public:
    explicit ClassRun(const Options& options) : options_{options} {}

    void add(const counterpart::Interface& interface, yaml::Design& design,
             Diagnostics& diagnostics) {
        const std::size_t colon = class_colon(options_.with);
        const counterpart::ClassPlace place{options_.with.substr(0, colon),
                                            options_.with.substr(colon + 1), options_.clock,
                                            options_.reset, design.clock_ps};
        counterpart::ClassTools tools;
        tools.compiler = find_program("c++").value_or("");
        tools.folder = folder_.path();
        tools.forbidden_by = options_.safe ? "--safe" : !options_.compile ? "--no-compile" : "";
        tools.unwanted = &interrupted();
        pair_ =
            counterpart::add_class(place, tools, interface, design.graph, diagnostics, building);
        if (pair_)
            comparisons_.push_back(lockstep::add_comparison(design.graph, *pair_));
    }

    int run(const Loaded& loaded) {
        return options_.random ? run_random(options_, loaded, {*pair_}, rules)
                               : run_compared(options_, loaded, comparisons_);
    }

    bool building = false; // it could not be built
    lockstep::RandomRules rules;

private:
    const Options& options_;
    BuildFolder folder_;
    std::optional<Pair> pair_;
    Comparisons comparisons_;
};

/// What --with names is a file of one of the kinds; an exit code otherwise.
int check_with(const Options& options) {
    const bool is_class = class_colon(options.with) != std::string::npos;
    if (!is_class && !options.with.ends_with(".vcd")) {
        complain(
            Code::bad_option,
            fmt::format("--with is FILE.cpp:CLASS or FILE.vcd, but this is '{}'", options.with));
        return exit_code::usage;
    }
    const char* const refused = options.self                         ? "self"
                                : is_class && !options.scope.empty() ? "scope"
                                : !is_class && options.random        ? "random"
                                                                     : nullptr;
    if (!refused)
        return exit_code::fine;
    complain(Code::bad_option, fmt::format("--{} does not go with --with {}; leave out one of them",
                                           refused, is_class ? "FILE.cpp:CLASS" : "FILE.vcd"));
    return exit_code::usage;
}

} // namespace

int run_counterpart(const Options& options) {
    if (const int refused = check_with(options); refused != exit_code::fine)
        return refused;
    const bool is_class = class_colon(options.with) != std::string::npos;
    ClassRun class_run{options};
    std::optional<counterpart::Interface> interface;
    Diagnostics found;
    LoadHooks hooks;
    hooks.look = [&](const yaml::Written& network, const Graph& graph) {
        const expr::ModuleView view = network.describe();
        interface = find_interface(options, view, graph, found);
        class_run.rules = read_rules(options, view, graph, found);
    };
    hooks.change = [&](yaml::Design& design, verilator::Modules&, Diagnostics& diagnostics) {
        for (const Diagnostic& each : found.all())
            diagnostics.add(each.code, each.where, each.message);
        if (interface && is_class)
            class_run.add(*interface, design, diagnostics);
    };
    const LoadResult result =
        load_network(options, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return class_run.building ? exit_code::building : result.exit_code;
    return is_class ? class_run.run(*result.network)
                    : run_recorded(options, *result.network, *interface);
}

} // namespace sme::cli
