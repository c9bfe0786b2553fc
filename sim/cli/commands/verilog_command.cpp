// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/parameter_ranges.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/output_kinds.hpp"
#include "cli/reports/findings.hpp"
#include "cli/reports/synthesis_report.hpp"
#include "cli/signals.hpp"
#include "engine/engine.hpp"
#include "export/board.hpp"
#include "export/export.hpp"
#include "export/run_recorder.hpp"

namespace sme::cli {

namespace {

/// One call of the command.
class VerilogCommand {
public:
    explicit VerilogCommand(const Options& options) : options_{options} {}

    int carry_out() {
        if (options_.output.empty()) {
            complain(Code::bad_option, "nothing says where the Verilog goes; give -o FOLDER");
            return exit_code::usage;
        }
        if (!options_.board.empty() && !board_) {
            std::string known;
            for (const hdl::Board& board : hdl::boards())
                known += (known.empty() ? "" : ", ") + board.name;
            complain(Code::bad_option, fmt::format("--board: there is no board '{}' here, but {}; "
                                                   "edit the files for a similar one",
                                                   options_.board, known));
            return exit_code::usage;
        }
        const LoadResult loaded =
            load_network(options_, verilator::Modules::Purpose::run,
                         {.look = [&](const yaml::Written& network,
                                      const Graph& graph) { write(network.describe(), graph); },
                          .change = // before modules are built
                          [&](yaml::Design&, verilator::Modules&, Diagnostics& diagnostics) {
                              for (const Diagnostic& found : diagnostics_.all())
                                  diagnostics.add(found.code, found.where, found.message).notes =
                                      found.notes;
                          }});
        if (!loaded.network)
            return loaded.exit_code;
        for (const auto& recording : loaded.network->recordings)
            recording->write_nothing();
        if (board_ && exported_.clocks.size() > 1) {
            complain(Code::bad_option, "--board: the boards here have one clock, but the network "
                                       "has several; leave out --board and make the clocks in a "
                                       "module of your own");
            return exit_code::usage;
        }
        choose_board_files();
        if (const int refused = claim_fixed(*loaded.network->files); refused != exit_code::fine)
            return refused;
        const int recorded = record(*loaded.network);
        if (recorded != exit_code::fine)
            return recorded;
        for (const hdl::ExportedFile& values : files_)
            if (const int refused = claim(*loaded.network->files, values.name);
                refused != exit_code::fine)
                return refused;
        if (!write_all()) {
            complain(Code::file_unwritable, problem_);
            return exit_code::file;
        }
        if (interrupted())
            return signal_exit_code();
        fmt::print("{}: {} modules{} in {}, a test bench of {} cycles\n", exported_.top,
                   exported_.modules.size(),
                   exported_.sources.empty()
                       ? ""
                       : fmt::format(" and {} file{} of others", exported_.sources.size(),
                                     exported_.sources.size() == 1 ? "" : "s"),
                   shown_text(options_.output), cycles_);
        if (!exported_.kept.empty())
            fmt::print("  parameters   {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported_.kept, ", "))));
        if (!exported_.left_out.empty())
            fmt::print("  left out     {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported_.left_out, ", "))));
        if (!kept_.empty())
            fmt::print("  kept         {}\n",
                       shown_text(fmt::format("{}", fmt::join(kept_, ", "))));
        return options_.report ? report() : exit_code::fine;
    }

private:
    void write(const expr::ModuleView& network, const Graph& graph) {
        hdl::ExportOptions how{options_.top, {}, options_.packed};
        exported_ = hdl::export_network(network, graph, diagnostics_, how);
        if (diagnostics_.has_errors())
            return;
        how.kept = parameters_to_keep(options_, network, graph, exported_);
        if (!how.kept.empty())
            exported_ = hdl::export_network(network, graph, diagnostics_, how);
        for (const std::string& name : options_.keep)
            if (std::count(exported_.kept.begin(), exported_.kept.end(), name) == 0)
                diagnostics_.add(Code::bad_option, network.declared,
                                 why_not_kept(network, name, how.kept.count(name) > 0));
    }

    static std::string why_not_kept(const expr::ModuleView& network, const std::string& name,
                                    bool is_free) {
        const bool known = std::any_of(network.parameters.begin(), network.parameters.end(),
                                       [&](const auto& each) { return each.first == name; });
        if (!known)
            return fmt::format("--keep: '{}' has no parameter '{}' that is a number", network.name,
                               name);
        if (is_free)
            return fmt::format("--keep: nothing that is written uses the parameter '{}'", name);
        return fmt::format("--keep: '{0}' cannot stay a parameter, because widths, ranges or what "
                           "is unrolled follow from it; write the network for each value, with "
                           "--set {0}=N",
                           name);
    }

    int report() const {
        const SynthesisReport made = report_synthesis(options_.output, exported_, board_);
        fmt::print("{}", shown_text(made.text));
        for (const std::string& hint : exported_.hints)
            fmt::print("hint: {}\n", shown_text(hint));
        if (interrupted())
            return signal_exit_code();
        if (made.problem.empty())
            return exit_code::fine;
        fmt::print(stderr, "error: {}\n", shown_text(made.problem));
        return exit_code::building;
    }

    /// Runs the network and keeps what is on its buses.
    int record(const Loaded& loaded) {
        constexpr std::uint64_t most = 10'000; // when nothing says how many
        std::uint64_t cycles = options_.cycles.value_or(loaded.design.cycles.value_or(most));
        std::uint64_t bits = 0;
        for (const hdl::Watched& watched : exported_.watched)
            bits += watched.width;
        constexpr std::uint64_t max_bits = std::uint64_t{1} << 31; // 512 MiB of digits
        if (bits != 0 && !options_.cycles)
            cycles = std::min(cycles, std::max(max_bits / bits, std::uint64_t{1}));
        if (bits != 0 && cycles > max_bits / bits) {
            complain(Code::bad_cycles,
                     fmt::format("the values of {} bits in {} cycles are more than a test bench "
                                 "takes; give --cycles N, at most {}",
                                 bits, cycles, max_bits / bits));
            return exit_code::usage;
        }
        catch_signals();
        engine::Options run;
        run.run = options_.run;
        run.interrupt = &interrupted();
        Diagnostics diagnostics;
        engine::Engine engine{loaded.design.graph, loaded.analysis, run, diagnostics};
        show(diagnostics);
        if (diagnostics.has_errors())
            return exit_code::usage;
        hdl::RunRecorder recorder{exported_};
        engine.attach(recorder);
        engine.run(cycles);
        engine.finish();
        if (engine.ending() == engine::Ending::interrupted) // a test bench of all, or none
            return signal_exit_code();
        cycles_ = recorder.cycles();
        if (cycles_ == 0) {
            show(engine.faults());
            return exit_code::model_failed;
        }
        files_ = recorder.files();
        return exit_code::fine;
    }

    /// What Yosys and nextpnr write.
    std::vector<std::string> reports() const {
        return options_.report ? synthesis_files(exported_, board_) : std::vector<std::string>{};
    }

    /// Files for the board are there to be edited: those that stand in the folder stay.
    void choose_board_files() {
        if (!board_)
            return;
        for (hdl::ExportedFile& file : hdl::board_files(exported_, *board_))
            if (std::error_code error;
                !options_.force && std::filesystem::exists(path_of(file.name), error))
                kept_.push_back(file.name);
            else
                for_board_.push_back(std::move(file));
    }

    std::string path_of(const std::string& name) const {
        return (std::filesystem::path{options_.output} / name).string();
    }

    int claim(FileAccess& files, const std::string& name) const {
        return claim_output(files, verilog_file(path_of(name)));
    }

    /// Before the network runs: the modules, the test bench and the list.
    int claim_fixed(FileAccess& files) const {
        int refused = claim(files, "files.f");
        for (const hdl::ExportedFile& module : exported_.modules)
            if (refused == exit_code::fine)
                refused = claim(files, module.name);
        for (const auto* all : {&exported_.sources, &exported_.included})
            for (const hdl::ExportedFile& file : *all)
                if (refused == exit_code::fine)
                    refused = claim_output(files, verilog_copy(path_of(file.name)));
        for (const hdl::ExportedFile& file : for_board_)
            if (refused == exit_code::fine)
                refused = claim(files, file.name);
        for (const std::string& name : reports())
            if (refused == exit_code::fine)
                refused = claim_output(files, {path_of(name), "a report"});
        return refused != exit_code::fine ? refused : claim(files, exported_.top + "_bench.v");
    }

    bool write(const std::string& name, const std::string& text) {
        OutputFile file{path_of(name)};
        file.write(text);
        file.commit();
        problem_ = file.problem();
        return problem_.empty();
    }

    bool write_all() {
        std::error_code error;
        std::filesystem::create_directories(std::filesystem::path{options_.output} / "values",
                                            error);
        if (error) {
            problem_ =
                fmt::format("cannot make the folder '{}': {}", options_.output, error.message());
            return false;
        }
        // last of all, so that no list of files stands in the folder of which some are older
        const std::filesystem::path files = std::filesystem::path{options_.output} / "files.f";
        OutputFile list{files.string()}; // held all the time: no other run writes here
        if (!list.good()) {
            problem_ = list.problem();
            return false;
        }
        if (std::filesystem::remove(files, error); error) {
            problem_ = fmt::format("cannot replace '{}': {}", files.string(), error.message());
            return false;
        }
        if (!exported_.included.empty())
            list.write("+incdir+.\n");
        for (const std::string& define : exported_.defines)
            list.write(fmt::format("+define+{}\n", define));
        for (const auto* all : {&exported_.sources, &exported_.modules})
            for (const hdl::ExportedFile& file : *all) {
                list.write(file.name + '\n');
                if (!write(file.name, file.text))
                    return false;
            }
        for (const hdl::ExportedFile& file : exported_.included) {
            std::filesystem::create_directories(
                std::filesystem::path{path_of(file.name)}.parent_path(), error);
            if (!write(file.name, file.text))
                return false;
        }
        for (const hdl::ExportedFile& values : files_)
            if (!write(values.name, values.text))
                return false;
        for (const hdl::ExportedFile& file : for_board_)
            if (!write(file.name, file.text))
                return false;
        if (!write(exported_.top + "_bench.v", hdl::bench_text(exported_, cycles_)))
            return false;
        list.commit();
        problem_ = list.problem();
        return problem_.empty();
    }

    const Options& options_;
    const hdl::Board* board_ = hdl::find_board(options_.board);
    Diagnostics diagnostics_;
    hdl::Exported exported_;
    std::vector<hdl::ExportedFile> files_; // of values
    std::vector<hdl::ExportedFile> for_board_;
    std::vector<std::string> kept_; // files for the board that were there
    std::uint64_t cycles_ = 0;
    std::string problem_;
};

} // namespace

int verilog_command(const Options& options) {
    return VerilogCommand{options}.carry_out();
}

} // namespace sme::cli
