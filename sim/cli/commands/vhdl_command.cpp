// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/commands.hpp"
#include "cli/commands/replayed_run.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/output_kinds.hpp"
#include "cli/reports/export_summary.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "export/vhdl/vhdl.hpp"

namespace sme::cli {

namespace {

/// One call of the command.
class VhdlCommand {
public:
    explicit VhdlCommand(const Options& options) : options_{options} {}

    int carry_out() {
        if (options_.output.empty()) {
            complain(Code::bad_option, "nothing says where the VHDL goes; give -o FOLDER");
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
            complain(Code::file_unwritable, problem);
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
        if (!diagnostics_.has_errors())
            files_ = hdl::vhdl::files(exported_);
    }

    std::string bench() const { return hdl::vhdl::bench_name(exported_) + ".vhd"; }

    int claim_all(FileAccess& files) const {
        const std::filesystem::path folder = options_.output;
        std::vector<std::string> names{"files.f", bench(), "values/all.hex"};
        for (const hdl::ExportedFile& file : files_)
            names.push_back(file.name);
        int refused = exit_code::fine;
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
            {&exported_.sources, &exported_.included, &of_verilog, &files_, &replay});
    }

    /// Names the Verilog module files, for simulators that read both languages.
    static constexpr const char* verilog_list = "verilog.f";

    const Options& options_;
    Diagnostics diagnostics_;
    hdl::Exported exported_;
    std::vector<hdl::ExportedFile> files_;
};

} // namespace

int vhdl_command(const Options& options) {
    return VhdlCommand{options}.carry_out();
}

} // namespace sme::cli
