// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/replayed_run.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/output_kinds.hpp"
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
        fmt::print("{}: {} modules in {}, a test bench of {} cycles\n", exported_.top,
                   exported_.trees.size(), shown_text(options_.output), run.cycles);
        if (!exported_.left_out.empty())
            fmt::print("  left out     {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported_.left_out, ", "))));
        return exit_code::fine;
    }

private:
    void write(const expr::ModuleView& network, const Graph& graph) {
        exported_ =
            hdl::export_network(network, graph, diagnostics_, {options_.top, {}, options_.packed});
        if (!diagnostics_.has_errors())
            files_ = hdl::vhdl::files(exported_, diagnostics_, network.declared);
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
        return refused;
    }

    std::string write_all(const ReplayedRun& run) const {
        hdl::ExportedFile list{"files.f", {}};
        for (const hdl::ExportedFile& file : files_)
            list.text += file.name + '\n';
        const std::vector<hdl::ExportedFile> replay{
            {bench(), hdl::vhdl::bench_text(exported_, run.cycles)},
            hdl::vhdl::bench_values(run.values)};
        return write_listed(options_.output, list, {&files_, &replay});
    }

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
