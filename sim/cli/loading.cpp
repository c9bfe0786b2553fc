// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"

#include <filesystem>

#include "cli/findings.hpp"
#include "engine/feeder.hpp"
#include "interpret/program_group.hpp"

namespace sme::cli {

namespace {

/// Where the standard library lies: beside an installed command, else in the sources.
std::string library_folder() {
    std::error_code error;
    const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path installed = command.parent_path().parent_path() / "share" / "sme";
    if (!error && std::filesystem::is_directory(installed / "std", error))
        return installed.string();
    return SME_LIBRARY_FOLDER;
}

} // namespace

std::optional<Loaded> load_network(const Options& options) {
    Diagnostics diagnostics;
    if (options.strict)
        diagnostics.make_strict();
    auto verdicts = std::make_shared<interpret::Verdicts>();
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;
    const yaml::Kinds kinds{
        interpret::program_kind, engine::feeder,
        [&](std::shared_ptr<const expr::CheckSet> checks) {
            return interpret::checks_kind(std::move(checks), verdicts);
        },
        [&](std::shared_ptr<const expr::Recording> recording) {
            recordings.push_back(std::make_shared<interpret::RecordingFile>(std::move(recording)));
            return interpret::recorder_kind(recordings.back());
        }};
    yaml::LoadOptions load_options;
    load_options.parameters = options.parameters;
    load_options.library = library_folder();
    load_options.print = options.print;
    std::optional<yaml::Design> design =
        yaml::load(options.network, load_options, kinds, diagnostics);
    std::optional<Analysis> analysis;
    if (design)
        analysis = analyse(design->graph, diagnostics);
    show(diagnostics);
    if (!analysis || diagnostics.has_errors())
        return std::nullopt;
    return Loaded{std::move(*design), std::move(*analysis), std::move(verdicts),
                  std::move(recordings)};
}

} // namespace sme::cli
