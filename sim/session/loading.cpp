// SPDX-License-Identifier: Apache-2.0
#include "session/loading.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "interpret/observers/recorder.hpp"
#include "network/access.hpp"
#include "session/random_inputs.hpp"
#include "session/run_digest.hpp"
#include "sme/load.hpp"

namespace sme::session {

namespace {

/// True if each complete line has as many cells of numbers and names as the first.
bool is_table(std::string_view text) {
    std::size_t commas = std::string_view::npos;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
        const auto is_plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view{"_.[],-+"}.find(c) != std::string_view::npos;
        };
        if (line.empty() || (commas != std::string_view::npos && count != commas) ||
            !std::all_of(line.begin(), line.end(), is_plain))
            return false;
        commas = count;
    }
    return commas != std::string_view::npos;
}

/// CSV rows with these columns; an existing .csv file may have other columns.
FileAccess::WriteRequest rows_file(std::string path, const std::vector<std::string>& columns) {
    FileAccess::WriteRequest result;
    result.fits = [header = fmt::format("{}\n", fmt::join(columns, ",")),
                   csv = path.ends_with(".csv") || path.ends_with(".csv.part") ||
                         path.ends_with(".csv.earlier")](std::string_view begin) {
        return begin.starts_with(header) || (csv && is_table(begin));
    };
    result.path = std::move(path);
    result.what = "a file of recorded rows";
    return result;
}

} // namespace

std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed) {
    auto result = std::make_shared<FileAccess>();
    const std::string folder = std::filesystem::path{network}.parent_path().string();
    result->allow(folder.empty() ? "." : folder);
    result->allow(".");
    for (const std::string& path : allowed)
        result->allow(path);
    std::error_code error;
    for (const auto& [name, value] : parameters)
        if (!value.empty() && !std::filesystem::is_directory(value, error))
            result->allow(value);
    return result;
}

bool claim_output(FileAccess& files, const FileAccess::WriteRequest& wish, const Location& where,
                  Diagnostics& diagnostics) {
    std::string problem;
    const FileAccess::Refusal refusal = files.claim(wish, problem);
    if (refusal == FileAccess::Refusal::none)
        return true;
    diagnostics.add(refusal == FileAccess::Refusal::outside ? Code::outside_folder
                                                            : Code::not_overwritten,
                    where, problem);
    return false;
}

bool claim_recording(FileAccess& files, const expr::Recording& recording, bool resumes,
                     Diagnostics& diagnostics) {
    FileAccess::WriteRequest wish = rows_file(recording.path, recording.columns);
    wish.by_network = true;
    if (!claim_output(files, wish, recording.where, diagnostics))
        return false;
    return !resumes ||
           claim_output(files, rows_file(recording.path + ".earlier", recording.columns),
                        recording.where, diagnostics);
}

} // namespace sme::session

namespace sme::session {

namespace {

/// Builds the Verilog modules of a network without errors.
void build_modules(Loaded& loaded, const LoadSettings& settings, Diagnostics& diagnostics) {
    Graph& graph = loaded.design.graph;
    if (!settings.traced && loaded.design.trace.empty())
        loaded.modules->leave_inside_out();
    if (loaded.modules->build_all(graph, diagnostics) && settings.analyse) {
        Diagnostics again; // discards repeated warnings; adds no new ones for the added buses
        std::optional<Analysis> analysis = analyse(graph, again);
        for (const Diagnostic& found : again.all())
            if (found.severity == Severity::error)
                diagnostics.add(found.code, found.where, found.message);
        if (analysis)
            loaded.analysis = std::move(*analysis);
    }
    if (!diagnostics.has_errors())
        loaded.modules->start(graph, loaded.design.clock_ps, settings.seed, diagnostics);
}

} // namespace

std::optional<Loaded> load(const std::string& path, const LoadSettings& settings,
                           const std::function<yaml::GroupFactories(VerilogModules*)>& factories,
                           Diagnostics& diagnostics) {
    auto modules = std::make_shared<verilator::Modules>(settings.verilog, settings.purpose);
    yaml::LoadOptions options{static_cast<const yaml::LoadOptions&>(settings)};
    lockstep::RandomRules rules;
    options.look = [&](const yaml::SourceView& network, const Graph& graph) {
        if (settings.look)
            settings.look(network, graph);
        if (!network.random_inputs().empty())
            for (const yaml::Assumed& assumed : network.assumptions())
                add_assumption(assumed, false, network.describe(), graph, rules, diagnostics);
    };
    yaml::GroupFactories kinds = factories(modules.get());
    if (settings.digest)
        settings.digest->note(kinds);
    std::optional<yaml::Design> design = yaml::load(path, options, kinds, diagnostics);
    if (!design)
        return std::nullopt;
    feed_random_inputs(*design, rules, settings.seed, diagnostics);
    Loaded loaded{std::move(*design), {}, std::move(modules)};
    if (!loaded.design.library) {
        if (settings.mark_writes)
            loaded.design.graph.mark_writes();
        if (settings.change)
            settings.change(loaded.design, *loaded.modules, diagnostics);
        if (settings.analyse)
            if (auto analysis = analyse(loaded.design.graph, diagnostics))
                loaded.analysis = std::move(*analysis);
        if (diagnostics.has_errors())
            return std::nullopt;
        build_modules(loaded, settings, diagnostics);
    }
    if (diagnostics.has_errors())
        return std::nullopt;
    if (settings.digest)
        settings.digest->add(loaded, rules);
    return loaded;
}

std::string installed_folder() {
    const std::filesystem::path program = running_program();
    const std::filesystem::path folder = program.parent_path().parent_path() / "share" / "sme";
    std::error_code error;
    return std::filesystem::is_directory(folder / "std", error) ? folder.string() : std::string{};
}

std::string library_folder() {
    const std::string installed = installed_folder();
    return installed.empty() ? SME_LIBRARY_FOLDER : installed;
}

std::string cache_folder(const std::string& name) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (cache && *cache == '/')
        return fmt::format("{}/sme/{}", cache, name);
    return home && *home == '/' ? fmt::format("{}/.cache/sme/{}", home, name) : std::string{};
}

} // namespace sme::session

namespace sme {

struct LoadedNetwork::Data {
    std::optional<std::uint64_t> cycles;
    bool ends_by_itself = false;
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

bool LoadedNetwork::ends_by_itself() const {
    return data_->ends_by_itself;
}

std::uint64_t LoadedNetwork::clock_ps() const {
    return data_->clock_ps;
}

namespace {

session::LoadSettings settings_of(const LoadOptions& options,
                                  const std::shared_ptr<FileAccess>& files) {
    session::LoadSettings settings;
    settings.parameters = options.parameters;
    settings.test = options.test;
    settings.text = options.text;
    settings.checks = options.checks;
    settings.driven = options.driven;
    settings.library = options.library.empty() ? session::library_folder() : options.library;
    settings.files = files.get();
    settings.mark_writes = options.judged;
    settings.size = std::clamp<std::uint64_t>(options.size, 1, 1000);
    settings.seed = options.seed;
    settings.analyse = false; // each simulator analyses its own graph
    settings.purpose = verilator::Modules::Purpose::run;
    settings.verilog = verilator::settings_of(options.verilog.value_or(VerilogTools{}));
    settings.verilog.reads = [files](const std::string& read) { files->note_read(read); };
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
    session::LoadSettings settings = settings_of(options, files);
    settings.purpose = verilator::Modules::Purpose::look;
    const std::optional<session::Loaded> loaded = session::load(
        path, settings,
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
