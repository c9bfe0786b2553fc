// SPDX-License-Identifier: Apache-2.0
#include "sme/load.hpp"

#include <fmt/format.h>

#include "engine/access.hpp"
#include "network/access.hpp"
#include "session/loading.hpp"
#include "session/output_claims.hpp"

namespace sme {

struct LoadedNetwork::Data {
    std::optional<std::uint64_t> cycles;
    std::uint64_t clock_ps = 0;
    std::shared_ptr<const expr::CheckSet> checks; // null if there are no checks
    std::shared_ptr<FileAccess> files;
    std::shared_ptr<verilator::Modules> modules;
};

LoadedNetwork::LoadedNetwork(std::string name, std::unique_ptr<Data> data)
    : Network{std::move(name)}, data_{std::move(data)} {}
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

std::optional<std::uint64_t> LoadedNetwork::cycles() const {
    return data_->cycles;
}

std::uint64_t LoadedNetwork::clock_ps() const {
    return data_->clock_ps;
}

namespace {

session::Settings settings_of(const LoadOptions& options,
                              const std::shared_ptr<FileAccess>& files) {
    session::Settings settings;
    settings.load.parameters = options.parameters;
    settings.load.library = options.library.empty() ? session::library_folder() : options.library;
    settings.load.files = files.get();
    settings.load.mark_writes = options.judged;
    settings.seed = options.seed;
    settings.analyse = false; // each simulator analyses its own graph
    settings.purpose = verilator::Modules::Purpose::run;
    settings.verilog = verilator::settings_of(options.verilog.value_or(VerilogTools{}));
    settings.verilog.reads = [files](const std::string& read) { files->note_read(read); };
    return settings;
}

CheckResult result_of(const expr::Check& check, const interpret::CheckResult& verdict) {
    CheckResult made;
    switch (verdict.kind) {
    case interpret::CheckResult::Kind::not_reached: break;
    case interpret::CheckResult::Kind::passed: made.kind = CheckResult::Kind::passed; break;
    case interpret::CheckResult::Kind::failed: made.kind = CheckResult::Kind::failed; break;
    case interpret::CheckResult::Kind::pending: made.kind = CheckResult::Kind::pending; break;
    }
    made.text = check.text;
    made.owner = check.owner;
    made.place = describe(check.where);
    made.cycle = verdict.cycle;
    made.evaluated = verdict.evaluated;
    for (const interpret::CheckResult::Shown& shown : verdict.operands)
        made.values.emplace_back(shown.text, shown.value);
    return made;
}

OutputResult result_of(const interpret::RecordingFile& file) {
    const expr::Recording& recording = file.recording();
    OutputResult made{recording.path, file.rows(), std::nullopt, file.difference(), file.problem()};
    if (recording.has_expected)
        made.expected_rows = recording.expected.size();
    return made;
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
    std::vector<CheckResult> made;
    for_each_observer(simulator, *this, [&](const Group& group) {
        if (const interpret::CheckResults* const verdicts = interpret::verdicts_of(group))
            for (std::size_t k = 0; k < verdicts->size(); ++k)
                made.push_back(result_of(data_->checks->checks[k], (*verdicts)[k]));
    });
    return made;
}

std::vector<OutputResult> LoadedNetwork::outputs(Simulator& simulator) const {
    std::vector<OutputResult> made;
    for_each_observer(simulator, *this, [&](const Group& group) {
        if (const interpret::RecordingFile* const file = interpret::recording_of(group))
            made.push_back(result_of(*file));
    });
    return made;
}

LoadedNetwork load(const std::string& path, const LoadOptions& options) {
    Diagnostics diagnostics;
    const auto files = session::file_access(path, options.parameters, options.allow);
    std::optional<session::Loaded> loaded = session::load(
        path, settings_of(options, files),
        [&](VerilogModules* modules) {
            return session::factories_of_each(options.write_outputs,
                                              options.verilog ? modules : nullptr);
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
    data->clock_ps = loaded->design.clock_ps;
    data->checks = loaded->design.checks;
    data->files = files;
    data->modules = std::move(loaded->modules);
    LoadedNetwork made{loaded->design.graph.name, std::move(data)};
    NetworkAccess::graph(made) = std::move(loaded->design.graph);
    return made;
}

} // namespace sme
