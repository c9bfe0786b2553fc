// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/kept_parameters.hpp"
#include "cli/commands/replayed_run.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/synthesis_report.hpp"
#include "cli/terminal.hpp"
#include "export/board.hpp"
#include "export/export.hpp"
#include "export/names.hpp"
#include "export/vhdl/names.hpp"

namespace sme::cli {

namespace {

/// The file that names the vector of each bus and state.
constexpr const char* names_json = "names.json";

/// One call of the command.
class VerilogCommand {
public:
    explicit VerilogCommand(const Options& options) : options_{options} {}

    int carry_out() {
        if (options_.output.empty()) {
            report_error(Code::bad_option, "nothing says where the Verilog goes; give -o FOLDER");
            return exit_code::usage;
        }
        if (!options_.board.empty() && !board_) {
            std::string known;
            for (const hdl::Board& board : hdl::boards())
                known += (known.empty() ? "" : ", ") + board.name;
            report_error(Code::bad_option,
                         fmt::format("--board: there is no board '{}' here, but {}; "
                                     "edit the files for a similar one",
                                     options_.board, known));
            return exit_code::usage;
        }
        const LoadResult loaded = load_to_export(
            options_, diagnostics_,
            [&](const expr::ModuleView& network, const Graph& graph) { write(network, graph); });
        if (!loaded.network)
            return loaded.exit_code;
        choose_board_files();
        if (const int refused = claim_fixed(*loaded.network->files); refused != exit_code::fine)
            return refused;
        run_ = replayed_run(options_, *loaded.network, exported_);
        if (run_.exit_code != exit_code::fine)
            return run_.exit_code;
        for (const hdl::ExportedFile& values : run_.values)
            if (const int refused = claim(*loaded.network->files, values.name);
                refused != exit_code::fine)
                return refused;
        if (const std::string problem = write_all(); !problem.empty()) {
            report_error(Code::file_unwritable, problem);
            return exit_code::file;
        }
        if (interrupted())
            return signal_exit_code();
        fmt::print("{}", export_summary(exported_, options_.output, run_.cycles));
        if (!exported_.kept.empty())
            fmt::print("  parameters   {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported_.kept, ", "))));
        fmt::print("{}", left_out_line(exported_));
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
        names_ = {{names_json, hdl::HardwareNames{graph, exported_}.json()}};
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
        const SynthesisReport result = report_synthesis(options_.output, exported_, board_);
        fmt::print("{}", shown_text(result.text));
        for (const std::string& hint : exported_.hints)
            fmt::print("hint: {}\n", shown_text(hint));
        if (interrupted())
            return signal_exit_code();
        if (result.problem.empty())
            return exit_code::fine;
        fmt::print(stderr, "error: {}\n", shown_text(result.problem));
        return exit_code::building;
    }

    /// The files that Yosys and nextpnr write.
    std::vector<std::string> reports() const {
        return options_.report ? synthesis_files(exported_, board_) : std::vector<std::string>{};
    }

    /// Keeps existing board files, which users are expected to edit.
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

    /// Claims the modules, the test bench and the list, before the network runs.
    int claim_fixed(FileAccess& files) const {
        int refused = claim_output(files, names_file(path_of(names_json)));
        if (refused == exit_code::fine)
            refused = claim(files, "files.f");
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
        return refused != exit_code::fine ? refused
                                          : claim(files, hdl::bench_name(exported_) + ".v");
    }

    std::string write_all() const {
        hdl::ExportedFile list{"files.f", hdl::sources_listed(exported_)};
        for (const hdl::ExportedFile& file : exported_.modules)
            list.text += file.name + '\n';
        const std::vector<hdl::ExportedFile> bench{
            {hdl::bench_name(exported_) + ".v", hdl::bench_text(exported_, run_.cycles)}};
        return write_listed(options_.output, list,
                            {&exported_.sources, &exported_.modules, &exported_.included,
                             &run_.values, &for_board_, &bench, &names_});
    }

    const Options& options_;
    const hdl::Board* board_ = hdl::find_board(options_.board);
    Diagnostics diagnostics_;
    hdl::Exported exported_;
    ReplayedRun run_{exit_code::fine, {}};
    std::vector<hdl::ExportedFile> for_board_, names_;
    std::vector<std::string> kept_; // board files that already existed
};

} // namespace

int verilog_command(const Options& options) {
    return VerilogCommand{options}.carry_out();
}

namespace {

/// One call of the command.
class VhdlCommand {
public:
    explicit VhdlCommand(const Options& options) : options_{options} {}

    int carry_out() {
        if (options_.output.empty()) {
            report_error(Code::bad_option, "nothing says where the VHDL goes; give -o FOLDER");
            return exit_code::usage;
        }
        const LoadResult loaded = load_to_export(
            options_, diagnostics_,
            [&](const expr::ModuleView& network, const Graph& graph) { write(network, graph); });
        if (!loaded.network)
            return loaded.exit_code;
        if (const int refused = claim_all(*loaded.network->files); refused != exit_code::fine)
            return refused;
        const ReplayedRun run = replayed_run(options_, *loaded.network, exported_);
        if (run.exit_code != exit_code::fine)
            return run.exit_code;
        if (const std::string problem = write_all(run); !problem.empty()) {
            report_error(Code::file_unwritable, problem);
            return exit_code::file;
        }
        if (interrupted())
            return signal_exit_code();
        fmt::print("{}{}", export_summary(exported_, options_.output, run.cycles),
                   left_out_line(exported_));
        return exit_code::fine;
    }

private:
    void write(const expr::ModuleView& network, const Graph& graph) {
        exported_ =
            hdl::export_network(network, graph, diagnostics_, {options_.top, {}, options_.packed});
        if (diagnostics_.has_errors())
            return;
        files_ = hdl::vhdl::files(exported_);
        const hdl::vhdl::Names names{exported_.trees};
        names_ = {{names_json, hdl::HardwareNames{graph, exported_}.json(
                                   [&](const std::string& path) { return names.of_path(path); })}};
    }

    std::string bench() const { return hdl::vhdl::bench_name(exported_) + ".vhd"; }

    int claim_all(FileAccess& files) const {
        const std::filesystem::path folder = options_.output;
        std::vector<std::string> names{"files.f", bench(), "values/all.hex"};
        for (const hdl::ExportedFile& file : files_)
            names.push_back(file.name);
        int refused = claim_output(files, names_file((folder / names_json).string()));
        for (const std::string& name : names)
            if (refused == exit_code::fine)
                refused = claim_output(files, vhdl_file((folder / name).string()));
        for (const auto* all : {&exported_.sources, &exported_.included})
            for (const hdl::ExportedFile& file : *all)
                if (refused == exit_code::fine)
                    refused = claim_output(files, verilog_copy((folder / file.name).string()));
        if (refused == exit_code::fine && !exported_.sources.empty())
            refused = claim_output(files, verilog_file((folder / verilog_list).string()));
        return refused;
    }

    std::string write_all(const ReplayedRun& run) const {
        hdl::ExportedFile list{"files.f", {}};
        for (const hdl::ExportedFile& file : files_)
            list.text += file.name + '\n';
        const std::vector<hdl::ExportedFile> replay{
            {bench(), hdl::vhdl::bench_text(exported_, run.cycles)},
            hdl::vhdl::bench_values(run.values)};
        std::vector<hdl::ExportedFile> of_verilog;
        if (!exported_.sources.empty())
            of_verilog.push_back({verilog_list, hdl::sources_listed(exported_)});
        return write_listed(
            options_.output, list,
            {&exported_.sources, &exported_.included, &of_verilog, &files_, &replay, &names_});
    }

    /// Names the Verilog module files, for simulators that read both languages.
    static constexpr const char* verilog_list = "verilog.f";

    const Options& options_;
    Diagnostics diagnostics_;
    hdl::Exported exported_;
    std::vector<hdl::ExportedFile> files_, names_;
};

} // namespace

int vhdl_command(const Options& options) {
    return VhdlCommand{options}.carry_out();
}

} // namespace sme::cli
