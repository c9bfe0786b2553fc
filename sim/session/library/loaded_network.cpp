// SPDX-License-Identifier: Apache-2.0
#include "sme/load.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "interpret/observers/recorder.hpp"
#include "network/access.hpp"
#include "session/loading.hpp"
#include "verilator/run/modules.hpp"

namespace sme {

struct LoadedNetwork::Data {
    std::optional<std::uint64_t> cycles;
    bool ends_by_itself = false;
    std::uint64_t clock_ps = 0;
    std::shared_ptr<const expr::CheckSet> checks; // null if there are no checks
    std::shared_ptr<FileAccess> files;
    std::shared_ptr<VerilogModules> modules;
};

LoadedNetwork::LoadedNetwork(std::string name, std::unique_ptr<Data> data)
    : Network{std::move(name)}, data_{std::move(data)} {}
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

std::optional<std::uint64_t> LoadedNetwork::cycles() const {
    return data_->cycles;
}

bool LoadedNetwork::ends_by_itself() const {
    return data_->ends_by_itself;
}

std::uint64_t LoadedNetwork::clock_ps() const {
    return data_->clock_ps;
}

namespace {

session::LoadSettings settings_of(const LoadOptions& options,
                                  const std::shared_ptr<FileAccess>& files,
                                  const std::optional<VerilogTools>& tools,
                                  VerilogModules::Purpose purpose) {
    session::LoadSettings settings;
    settings.parameters = options.parameters;
    settings.test = options.test;
    settings.text = options.text;
    settings.checks = options.checks;
    settings.driven = options.driven;
    settings.sets_open_inputs = true;
    settings.library = options.library.empty() ? session::library_folder() : options.library;
    settings.files = files.get();
    settings.mark_writes = options.judged;
    settings.size = std::clamp<std::uint64_t>(options.size, 1, 1000);
    settings.seed = options.seed;
    settings.analyse = false; // each simulator analyses its own graph
    if (tools)
        settings.open_modules = [tools = *tools, files, purpose](std::string&) {
            verilator::Settings own = verilator::settings_of(tools);
            own.reads = [files](const std::string& read) { files->note_read(read); };
            return std::make_shared<verilator::Modules>(std::move(own), purpose);
        };
    return settings;
}

CheckResult result_of(const expr::Check& check, const interpret::Verdict& verdict) {
    CheckResult result;
    result.kind = verdict.kind;
    result.text = check.text;
    result.owner = check.owner_of(verdict.instance);
    result.place = describe(check.where);
    result.cycle = verdict.cycle;
    result.evaluated = verdict.evaluated;
    for (const interpret::Shown& shown : verdict.operands)
        result.values.emplace_back(shown.text, shown.value);
    return result;
}

OutputResult result_of(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    OutputResult result{recording.path,    file.rows(),    std::nullopt,
                        file.difference(), file.problem(), file.faulted()};
    if (recording.has_expected)
        result.expected_rows = recording.expected.size();
    return result;
}

/// Calls use(group) for every observer of a simulator that belongs to this network.
template <class Use>
void for_each_observer(Simulator& simulator, const LoadedNetwork& network, Use use) {
    const Graph& graph = SimulatorAccess::graph(simulator);
    if (&graph != &network.graph())
        throw NetworkError{fmt::format("the simulator is one of network '{}', not of this '{}'",
                                       graph.name, network.graph().name)};
    for (std::uint32_t k = 0; k < graph.processes.size(); ++k)
        if (graph.processes[k].observer)
            use(SimulatorAccess::engine(simulator).group(k));
}

} // namespace

std::vector<CheckResult> LoadedNetwork::checks(Simulator& simulator) const {
    std::vector<CheckResult> result;
    for_each_observer(simulator, *this, [&](Group& group) {
        if (const interpret::Verdicts* const verdicts = interpret::verdicts_of(group))
            for (std::size_t k = 0; k < verdicts->size(); ++k)
                result.push_back(result_of(data_->checks->checks[k], (*verdicts)[k]));
    });
    return result;
}

std::vector<OutputResult> LoadedNetwork::outputs(Simulator& simulator) const {
    std::vector<OutputResult> result;
    for_each_observer(simulator, *this, [&](Group& group) {
        if (const interpret::RecordingFile* const file = interpret::recording_of(group))
            result.push_back(result_of(*file));
    });
    return result;
}

LoadedNetwork load(const std::string& path, const LoadOptions& options) {
    Diagnostics diagnostics;
    const auto files = session::file_access(path, options.parameters, options.allow);
    std::optional<session::Loaded> loaded = session::load(
        path, settings_of(options, files, options.verilog, VerilogModules::Purpose::run),
        [&](VerilogModules* modules) {
            return session::factories_of_each(options.write_outputs, modules);
        },
        diagnostics);
    if (loaded && options.write_outputs)
        for (const auto& recording : loaded->design.recordings)
            session::claim_recording(*files, *recording, true, diagnostics);
    if (!loaded || diagnostics.has_errors())
        throw NetworkError{render(diagnostics)};
    if (options.warning)
        for (const Diagnostic& found : diagnostics.all())
            options.warning(render(found));
    if (options.warning)
        for (const std::string& note : loaded->design.notes)
            options.warning(fmt::format("note: {}\n", note));
    auto data = std::make_unique<LoadedNetwork::Data>();
    data->cycles = loaded->design.cycles;
    data->ends_by_itself = loaded->design.ends_by_itself || loaded->design.may_halt;
    data->clock_ps = loaded->design.clock_ps;
    data->checks = loaded->design.checks;
    data->files = files;
    data->modules = std::move(loaded->modules);
    LoadedNetwork result{loaded->design.graph.name, std::move(data)};
    NetworkAccess::graph(result) = std::move(loaded->design.graph);
    return result;
}

std::vector<TestEntry> tests_of(const std::string& path, const LoadOptions& options) {
    Diagnostics diagnostics;
    const auto files = session::file_access(path, options.parameters, options.allow);
    const std::optional<session::Loaded> loaded = session::load(
        path,
        settings_of(options, files, options.verilog.value_or(VerilogTools{}),
                    VerilogModules::Purpose::look),
        [](VerilogModules* modules) { return session::factories_of_each(false, modules); },
        diagnostics);
    if (!loaded || diagnostics.has_errors())
        throw NetworkError{render(diagnostics)};
    std::vector<TestEntry> result;
    for (const yaml::TestCase& each : loaded->design.tests)
        result.push_back({each.name, each.first_seed, each.last_seed});
    return result;
}

} // namespace sme
