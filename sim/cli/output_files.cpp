// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/output_kinds.hpp"
#include "cli/reports/findings.hpp"
#include "native/ir/c_names.hpp"
#include "native/native.hpp"
#include "session/output_claims.hpp"

namespace sme::cli {

namespace fs = std::filesystem;

namespace {

/// Claims files in sequence; stops at the first that may not be written.
class Claims {
public:
    explicit Claims(FileAccess files) : files_{std::move(files)} {}

    void by_user(const FileAccess::Wish& wish) {
        if (exit_code_ == exit_code::fine && !wish.path.empty())
            exit_code_ = claim_output(files_, wish);
    }
    /// `claim` returns false after adding the reason to the diagnostics.
    template <class Claim> void by_network(Claim claim) {
        Diagnostics found;
        if (exit_code_ == exit_code::fine && !claim(files_, found)) {
            show(found);
            exit_code_ = exit_code::usage;
        }
    }
    int exit_code() const { return exit_code_; }

private:
    FileAccess files_; // for this run only: another run may write the same files again
    int exit_code_ = exit_code::fine;
};

} // namespace

std::string c_path(const Options& options, const Loaded& loaded) {
    return (fs::path{options.emit_c} / (loaded.design.graph.name + ".c")).string();
}

std::shared_ptr<FileAccess> file_access(const Options& options) {
    auto made = session::file_access(options.network, options.parameters, options.allow);
    if (options.force)
        made->force();
    if (options.safe)
        made->bound_reading();
    if (!options.resume.empty())
        made->note_read(options.resume);
    std::error_code error;
    if (!options.schedule.empty() && fs::exists(options.schedule, error))
        made->note_read(options.schedule);
    return made;
}

int claim_output(FileAccess& files, const FileAccess::Wish& wish) {
    std::string problem;
    if (files.claim(wish, problem) == FileAccess::Refusal::none)
        return exit_code::fine;
    complain(Code::not_overwritten, problem);
    return exit_code::usage;
}

int claim_outputs(const Options& options, const Loaded& loaded, const std::string& trace) {
    Claims claims{*loaded.files};
    for (const auto& file : loaded.recordings)
        claims.by_network([&](FileAccess& files, Diagnostics& found) {
            return session::claim_recording(files, file->recording(), !options.resume.empty(),
                                            found);
        });
    if (options.trace.empty() && !trace.empty())
        claims.by_network([&](FileAccess& files, Diagnostics& found) {
            FileAccess::Wish wish = trace_file(trace);
            wish.by_network = true;
            return session::claim_output(files, wish, loaded.design.trace_where, found);
        });
    else
        claims.by_user(trace_file(trace));
    claims.by_user(results_file(options.results));
    claims.by_user(junit_file(options.junit));
    claims.by_user(report_file(options.page));
    claims.by_user(graph_file(options.graph));
    for (const std::string& path : options.coverage)
        claims.by_user(coverage_file(path));
    for (const std::string& path : options.wavedrom)
        claims.by_user(wavedrom_file(path));
    claims.by_user(profile_file(options.profile));
    claims.by_user(histories_file(options.histories));
    std::error_code error;
    if (!fs::exists(options.schedule, error))
        claims.by_user(schedule_file(options.schedule));
    claims.by_user(checkpoint_file(options.checkpoint, options.resume));
    if (!options.emit_c.empty())
        claims.by_user(c_file(c_path(options, loaded)));
    return claims.exit_code();
}

} // namespace sme::cli
