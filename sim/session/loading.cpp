// SPDX-License-Identifier: Apache-2.0
#include "session/loading.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "session/random_inputs.hpp"
#include "session/run_digest.hpp"

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

namespace {

/// Verilog modules whose implementation is opened for the first module of a network: most networks
/// have none.
class LateModules final : public VerilogModules {
public:
    explicit LateModules(OpenModules open) : open_{std::move(open)} {}

    const std::vector<VerilogPort>* ports(const VerilogModule& module,
                                          Diagnostics& diagnostics) override {
        if (!opened_ && problem_.empty()) // once, as it may build a library
            opened_ = open_(problem_);
        if (!opened_)
            diagnostics.add(Code::verilog_missing, module.where, problem_);
        return opened_ ? opened_->ports(module, diagnostics) : nullptr;
    }
    // What follows needs the ports of a module, or has nothing to do.
    bool attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) override {
        return opened_->attach(module, bindings, family, graph, diagnostics);
    }
    const std::vector<VerilogSignal>* signals(const VerilogModule& module,
                                              Diagnostics& diagnostics) override {
        return opened_->signals(module, diagnostics);
    }
    std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element, ProcessFamily& family,
                          Graph& graph) override {
        return opened_->look_at(signal, element, family, graph);
    }
    bool any() const override { return opened_ && opened_->any(); }
    std::string contents_of(const GroupFactory* kind) const override {
        return opened_ ? opened_->contents_of(kind) : std::string{};
    }
    void leave_inside_out() override {
        if (opened_)
            opened_->leave_inside_out();
    }
    bool build_all(Graph& graph, Diagnostics& diagnostics) override {
        return opened_ && opened_->build_all(graph, diagnostics);
    }
    bool start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed,
               Diagnostics& diagnostics) override {
        return !opened_ || opened_->start(graph, clock_ps, seed, diagnostics);
    }

private:
    OpenModules open_;
    std::shared_ptr<VerilogModules> opened_;
    std::string problem_; // why it cannot be opened
};

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
    auto modules = std::make_shared<LateModules>(settings.open_modules);
    yaml::LoadOptions options{static_cast<const yaml::LoadOptions&>(settings)};
    lockstep::RandomRules rules;
    options.look = [&](const yaml::SourceView& network, const Graph& graph) {
        if (settings.look)
            settings.look(network, graph);
        if (!network.random_inputs().empty())
            for (const yaml::Assumed& assumed : network.assumptions())
                add_assumption(assumed, false, network.describe(), graph, rules, diagnostics);
    };
    yaml::GroupFactories kinds = factories(settings.open_modules ? modules.get() : nullptr);
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
