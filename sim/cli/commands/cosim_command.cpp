// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/compared_run.hpp"
#include "cli/commands/inputs_file.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "export/export.hpp"
#include "export/modules/top.hpp"
#include "external_model/waveform.hpp"

namespace sme::cli {

namespace {

using Members = std::vector<external_model::Interface>;

/// The members of a process or of an instance of a component, each with its own name.
Members all_members(const expr::Unit& unit, const Shape& members, const Graph& graph) {
    Members result;
    for (std::uint64_t k = 0; k < members.count(); ++k) {
        result.push_back(external_model::interface_of(unit, k, graph));
        result.back().name = members.element_name(result.back().process, k);
    }
    return result;
}

/// The first member, as --instance names it: "core[0].add[0][0]".
std::string first_of(const yaml::SecondPlace& place) {
    std::string name = place.members->element_name(place.process, 0);
    for (std::size_t at = name.find(", "); at != std::string::npos; at = name.find(", ", at))
        name.replace(at, 2, "][");
    return name;
}

/// Returns the place with the scope of this member filled in.
yaml::SecondPlace of_member(yaml::SecondPlace place, std::uint64_t member) {
    std::string unknown; // stays empty: the loader has checked the names
    if (place.members)
        place.scope = place.members->filled_in(place.scope, member, unknown).value_or(place.scope);
    return place;
}

/// Finds the process that --instance names, the only process of the network, or all members of a
/// process that the network names. Otherwise reports an error and returns an empty list.
Members find_members(const yaml::SecondPlace& place, const expr::ModuleView& network,
                     const Graph& graph, Diagnostics& diagnostics) {
    if (place.members && place.members->count() == 0)
        return {};
    const std::string process = place.members ? first_of(place) : place.process;
    if (process.empty()) {
        if (network.units.size() == 1 && network.units[0]->shape.count() == 1)
            return {external_model::interface_of(*network.units[0], 0, graph)};
        std::vector<std::string> names;
        for (const expr::Unit* unit : network.units)
            names.push_back(unit->name);
        diagnostics.add(
            Code::bad_option, network.declared,
            fmt::format("--reference compares one process of '{}'; give it with --instance: {}",
                        network.name, fmt::join(names, ", ")));
        return {};
    }
    Diagnostics found;
    const std::optional<hdl::Top> top = hdl::find_top(network, process, found);
    if (top && place.members)
        return all_members(*top->unit, *place.members, graph);
    if (top) {
        Members result{external_model::interface_of(*top->unit, top->instance(), graph)};
        if (process.ends_with(']')) // a member of a family
            result[0].name = process;
        return result;
    }
    std::vector<std::string> names;
    for (const expr::Unit* unit : network.units)
        names.push_back(unit->name);
    const std::string near = did_you_mean(process, names);
    diagnostics.add(
        Code::bad_option, network.declared,
        fmt::format("--instance: no process, instance or component of '{}' is called "
                    "'{}'{}",
                    network.name, process,
                    near.empty() ? fmt::format("; it has {}", fmt::join(names, ", ")) : near));
    return {};
}

/// Describes the unknown values of a recording, as lines of a report.
std::string lines_of(const external_model::Recording& recording,
                     const external_model::Interface& interface) {
    std::uint64_t inputs = 0, outputs = 0;
    std::vector<std::string> missing;
    for (std::size_t p = 0; p < interface.ports.size(); ++p) {
        const external_model::InterfacePort& port = interface.ports[p];
        (port.output ? outputs : inputs) += recording.ports[p].unknown;
        if (port.output && !recording.ports[p].found)
            missing.push_back(port.name);
    }
    std::string text;
    if (recording.clock_guessed)
        text += fmt::format("  {:<12} {}, as nothing names it\n", "clock", recording.clock);
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

int run_waveform(const Options& options, const Loaded& loaded, const yaml::SecondPlace& second,
                 const external_model::Interface& interface) {
    Diagnostics diagnostics;
    loaded.files->note_read(second.file);
    const auto recording =
        external_model::read_recording({second.file, second.scope, second.clock, second.reset},
                                       interface, loaded.design.graph, diagnostics);
    show(diagnostics);
    if (!recording)
        return exit_code::usage;
    external_model::Replay replay = external_model::replay_of(
        *recording, interface, fmt::format("waveform '{}'", second.file), loaded.design.graph);
    const std::uint64_t cycles =
        std::min(options.cycles.value_or(recording->network_cycles()), recording->network_cycles());
    return run_alone(options, loaded, std::move(replay.graph), replay.pair, cycles,
                     lines_of(*recording, interface));
}

/// Returns `fine` if the file of --reference is a waveform, else an exit code.
int check_with(const Options& options) {
    if (!options.reference.ends_with(".vcd") && !options.reference.ends_with(".fst")) {
        report_error(
            Code::bad_option,
            fmt::format("--reference is FILE.vcd or FILE.fst, but this is '{}'; a class in C++ is "
                        "compared by sme::compare, in a program",
                        options.reference));
        return exit_code::usage;
    }
    const char* const refused = options.self              ? "self"
                                : options.random          ? "random"
                                : !options.inputs.empty() ? "inputs"
                                                          : nullptr;
    if (!refused)
        return exit_code::fine;
    report_error(Code::bad_option,
                 fmt::format("--{} does not go with --reference; leave out one of them", refused));
    return exit_code::usage;
}

/// Recordings of other implementations: the waveform of --reference, or the waveforms that the
/// network names with `against`.
class ExternalModels {
public:
    explicit ExternalModels(const Options& options) : options_{options} {}

    /// Finds the processes that the recordings are compared with.
    void look(const yaml::SourceView& network, const Graph& graph, Diagnostics& diagnostics);

    /// True if there is a waveform. `run_recorded` compares each waveform in a run of its own, and
    /// returns the worst exit code.
    bool any_recorded() const { return !all_.empty(); }
    int run_recorded(const Loaded& loaded) const;

private:
    struct Second {
        yaml::SecondPlace place;
        Members members; // of one process, or of a family
    };
    const Options& options_;
    std::vector<Second> all_;
};

void ExternalModels::look(const yaml::SourceView& network, const Graph& graph,
                          Diagnostics& diagnostics) {
    const expr::ModuleView& view = network.describe();
    std::vector<yaml::SecondPlace> places = network.seconds();
    if (!options_.reference.empty()) {
        yaml::SecondPlace place;
        place.process = options_.instance;
        place.file = options_.reference;
        place.scope = options_.scope;
        place.clock = options_.clock;
        place.reset = options_.reset;
        places = {place};
    }
    for (yaml::SecondPlace& place : places) {
        auto members = find_members(place, view, graph, diagnostics);
        if (!members.empty())
            all_.push_back({std::move(place), std::move(members)});
    }
}

int ExternalModels::run_recorded(const Loaded& loaded) const {
    int worst = exit_code::fine;
    for (const Second& second : all_)
        for (std::size_t k = 0; k < second.members.size(); ++k)
            if (worst <= exit_code::model_failed)
                worst = std::max(worst, run_waveform(options_, loaded, of_member(second.place, k),
                                                     second.members[k]));
    return worst;
}

/// Runs all comparisons: pairs in the network first, then waveforms.
int run_all(const Options& options, const Loaded& loaded, const Comparisons& comparisons,
            const ExternalModels& external_models, const lockstep::RandomRules& rules) {
    const std::vector<Pair>& pairs = loaded.design.pairs;
    const bool own_inputs = options.random || !options.inputs.empty();
    const bool recorded = external_models.any_recorded() && !own_inputs;
    if (pairs.empty() && !recorded) {
        report_error(
            Code::bad_option,
            external_models.any_recorded()
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
               ? std::max(ended, external_models.run_recorded(loaded))
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
        Diagnostic& result = into.add(each->code, each->where, each->message);
        result.notes = each->notes;
        if (const auto next = std::find_if(each + 1, all.end(), same); next != all.end())
            result.note(next->where, fmt::format("the same in {} more, this is the next",
                                                 counted(static_cast<std::uint64_t>(
                                                             std::count_if(next, all.end(), same)),
                                                         "place", "places")));
    }
}

} // namespace

int cosim_command(const Options& options) {
    ExternalModels external_models{options};
    if (!options.reference.empty())
        if (const int refused = check_with(options); refused != exit_code::fine)
            return refused;
    Comparisons comparisons;
    Options paired = options;
    paired.against = !options.self && options.reference.empty();
    hdl::Exported exported;
    Diagnostics before;
    lockstep::RandomRules rules;
    LoadSettings settings;
    if (options.self)
        settings.keep_for_export();
    settings.look = [&](const yaml::SourceView& network, const Graph& graph) {
        if (options.self) {
            exported =
                hdl::export_network(network.describe(), graph, before, {options.top, {}, true});
            return;
        }
        external_models.look(network, graph, before);
        rules = read_rules(options, network, graph, before);
    };
    settings.change = [&](yaml::Design& design, VerilogModules& modules, Diagnostics& diagnostics) {
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
        load_network(paired, VerilogModules::Purpose::run, std::move(settings));
    if (!result.network)
        return result.exit_code;
    return run_all(options, *result.network, comparisons, external_models, rules);
}

} // namespace sme::cli
