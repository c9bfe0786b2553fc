// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/replayed_run.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "export/run_recorder.hpp"
#include "interpret/observers/recorder.hpp"

namespace sme::cli {

LoadResult load_to_export(const Options& options, const Diagnostics& found,
                          const std::function<void(const expr::ModuleView&, const Graph&)>& write) {
    LoadSettings settings;
    settings.keep_for_export();
    settings.look = [&](const yaml::SourceView& network, const Graph& graph) {
        write(network.describe(), graph);
    };
    settings.change = [&](yaml::Design&, VerilogModules&, Diagnostics& diagnostics) {
        for (const Diagnostic& each : found.all())
            diagnostics.add(each.code, each.where, each.message).notes = each.notes;
    };
    LoadResult loaded = load_network(options, VerilogModules::Purpose::run, std::move(settings));
    if (loaded.network)
        for (const auto& recording : loaded.network->recordings)
            recording->write_nothing();
    return loaded;
}

ReplayedRun replayed_run(const Options& options, const Loaded& loaded,
                         const hdl::Exported& exported) {
    constexpr std::uint64_t most = 10'000; // the default number of cycles
    std::uint64_t cycles = options.cycles.value_or(loaded.design.cycles.value_or(most));
    std::uint64_t bits = 0;
    for (const hdl::Watched& watched : exported.watched)
        bits += watched.width;
    if (cycles >= hdl::integers) {
        report_error(Code::bad_cycles,
                     fmt::format("a test bench has fewer than {} cycles, but these are {}; give "
                                 "--cycles N",
                                 hdl::integers, cycles));
        return {exit_code::usage, {}};
    }
    constexpr std::uint64_t max_bits = std::uint64_t{1} << 31; // 512 MiB of digits
    if (bits != 0 && !options.cycles)
        cycles = std::min(cycles, std::max(max_bits / bits, std::uint64_t{1}));
    if (bits != 0 && cycles > max_bits / bits) {
        report_error(Code::bad_cycles,
                     fmt::format("the values of {} bits in {} cycles are more than a test bench "
                                 "takes; give --cycles N, at most {}",
                                 bits, cycles, max_bits / bits));
        return {exit_code::usage, {}};
    }
    catch_signals();
    engine::Options how;
    how.run = options.run;
    how.interrupt = &interrupted();
    Diagnostics diagnostics;
    hdl::RunRecorder recorder{exported}; // outlives the run
    session::Run run{loaded.design.graph, loaded.analysis, how, diagnostics};
    show(diagnostics);
    if (!run.ok())
        return {exit_code::usage, {}};
    run.engine().attach(recorder);
    run.engine().run(cycles);
    const session::Outcome outcome = run.finish();
    if (outcome.was_interrupted()) // write no test bench
        return {signal_exit_code(), {}};
    const bool has_wires =
        std::any_of(loaded.design.graph.buses.begin(), loaded.design.graph.buses.end(),
                    [](const BusFamily& bus) { return bus.wire(); });
    if (outcome.has_faulted() && has_wires) // not written by the faulty process
        recorder.drop_from(outcome.cycles - 1);
    if (recorder.cycles() == 0) {
        show(outcome.faults);
        return {exit_code::model_failed, {}};
    }
    return {exit_code::fine, recorder.files(), recorder.cycles()};
}

namespace {

std::string write_file(const std::filesystem::path& path, const std::string& text) {
    OutputFile file{path.string()};
    file.write(text);
    file.commit();
    return file.problem();
}

} // namespace

std::string write_listed(const std::string& folder, const hdl::ExportedFile& list,
                         const std::vector<const std::vector<hdl::ExportedFile>*>& files) {
    std::error_code error;
    const std::filesystem::path all = folder;
    std::filesystem::create_directories(all / "values", error);
    if (error)
        return fmt::format("cannot make the folder '{}': {}", folder, error.message());
    const std::filesystem::path listed = all / list.name;
    OutputFile names{listed.string()}; // locks the folder against other runs
    if (!names.good())
        return names.problem();
    if (std::filesystem::remove(listed, error); error)
        return fmt::format("cannot replace '{}': {}", listed.string(), error.message());
    for (const auto* some : files)
        for (const hdl::ExportedFile& file : *some) {
            std::filesystem::create_directories((all / file.name).parent_path(), error);
            if (std::string problem = write_file(all / file.name, file.text); !problem.empty())
                return problem;
        }
    names.write(list.text);
    names.commit();
    return names.problem();
}

} // namespace sme::cli
