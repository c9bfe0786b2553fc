// SPDX-License-Identifier: Apache-2.0
#include "session/loading.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/find_program.hpp"

namespace sme::session {

namespace {

/// Builds the Verilog modules of a network without errors.
void build_modules(Loaded& loaded, const Settings& settings, Diagnostics& diagnostics) {
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

std::optional<Loaded> load(const std::string& path, const Settings& settings,
                           const std::function<yaml::GroupFactories(VerilogModules*)>& factories,
                           Diagnostics& diagnostics) {
    auto modules = std::make_shared<verilator::Modules>(settings.verilog, settings.purpose);
    std::optional<yaml::Design> design =
        yaml::load(path, settings.load, factories(modules.get()), diagnostics);
    if (!design)
        return std::nullopt;
    Loaded loaded{std::move(*design), {}, std::move(modules)};
    if (!loaded.design.library) {
        if (settings.load.mark_writes)
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
