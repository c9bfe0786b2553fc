// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/findings.hpp"
#include "native/ir/routine.hpp"
#include "native/native.hpp"
#include "session/loading.hpp"
#include "trace/format.hpp"

namespace sme::cli {

namespace {

std::string_view without_spaces(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// A kind whose files contain one of these texts near their beginning.
FileAccess::WriteRequest with_mark(std::string path, std::string what,
                                   std::vector<std::string> marks) {
    constexpr std::size_t near = 4096;
    FileAccess::WriteRequest result;
    result.path = std::move(path);
    result.what = std::move(what);
    result.fits = [marks = std::move(marks)](std::string_view begin) {
        return std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
            return begin.substr(0, near).find(mark) != std::string_view::npos;
        });
    };
    return result;
}

/// A kind whose files begin with one of these texts.
FileAccess::WriteRequest beginning_with(std::string path, std::string what,
                                        std::vector<std::string> begins) {
    FileAccess::WriteRequest result;
    result.path = std::move(path);
    result.what = std::move(what);
    result.fits = [begins = std::move(begins)](std::string_view begin) {
        const std::string_view text = without_spaces(begin);
        return std::any_of(begins.begin(), begins.end(),
                           [&](const std::string& each) { return text.starts_with(each); });
    };
    return result;
}

bool is_hex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdefABCDEFxX@\n") == std::string_view::npos;
}

template <class Fits> bool all_lines(std::string_view text, Fits fits) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!fits(text.substr(0, end)))
            return false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

/// True for a list of Verilog files, one per line, with options for reading them.
bool is_list_of_verilog(std::string_view text) {
    return all_lines(text, [](std::string_view line) {
        return line.ends_with(".v") || line.ends_with(".sv") || line.starts_with("+incdir+") ||
               line.starts_with("+define+");
    });
}

bool is_list_of_vhdl(std::string_view text) {
    return all_lines(text, [](std::string_view line) { return line.ends_with(".vhd"); });
}

} // namespace

FileAccess::WriteRequest trace_file(std::string path) {
    const trace::Format& format = trace::format_of(path);
    return beginning_with(std::move(path), std::string{format.what},
                          {format.begins.begin(), format.begins.end()});
}

FileAccess::WriteRequest results_file(std::string path) {
    return with_mark(std::move(path), "a file of results", {"\"format\": \"sme results "});
}

FileAccess::WriteRequest report_file(std::string path) {
    return with_mark(std::move(path), "a report of a run",
                     {"<meta name=\"generator\" content=\"sme report "});
}

FileAccess::WriteRequest junit_file(std::string path) {
    return with_mark(std::move(path), "a JUnit file", {"<testsuite"});
}

FileAccess::WriteRequest coverage_file(std::string path) {
    if (path.ends_with(".info"))
        return beginning_with(std::move(path), "an lcov tracefile", {"TN:", "SF:"});
    return with_mark(std::move(path), "a file of coverage", {"\"format\": \"sme coverage "});
}

FileAccess::WriteRequest wavedrom_file(std::string path) {
    if (path.ends_with(".svg"))
        return with_mark(std::move(path), "an SVG", {"<svg"});
    return beginning_with(std::move(path), "WaveJSON", {"{\"signal\":", "{ \"signal\":"});
}

FileAccess::WriteRequest profile_file(std::string path) {
    return with_mark(std::move(path), "a time line", {"\"traceEvents\":["});
}

FileAccess::WriteRequest schedule_file(std::string path) {
    return with_mark(std::move(path), "a schedule", {"{\"sme schedule\":"});
}

FileAccess::WriteRequest partition_file(std::string path) {
    return with_mark(std::move(path), "a partition", {"{\"sme partition\":"});
}

FileAccess::WriteRequest checkpoint_file(std::string path, const std::string& resumed) {
    FileAccess::WriteRequest result =
        beginning_with(std::move(path), "a checkpoint", {"SME checkpoint\n"});
    result.replaces = resumed;
    return result;
}

FileAccess::WriteRequest c_file(std::string path) {
    return beginning_with(std::move(path), "C of a network", {"/* network "});
}

FileAccess::WriteRequest graph_file(std::string path) {
    if (path.ends_with(".svg"))
        return with_mark(std::move(path), "an SVG", {"<svg"});
    return beginning_with(std::move(path), "a DOT file", {"digraph", "graph", "strict "});
}

FileAccess::WriteRequest front_file(std::string path) {
    if (path.ends_with(".svg"))
        return with_mark(std::move(path), "an SVG", {"<svg"});
    return beginning_with(std::move(path), "a table of depths", {"cycles,bits,"});
}

FileAccess::WriteRequest histories_file(std::string path) {
    return beginning_with(std::move(path), "a table of histories", {"channel,messages,digest"});
}

FileAccess::WriteRequest patch_file(std::string path) {
    return beginning_with(std::move(path), "a patch", {"--- "});
}

FileAccess::WriteRequest verilog_file(const std::string& path) {
    // not `beginning_with`: a comment of the network comes first
    FileAccess::WriteRequest result =
        with_mark(path, "Verilog of a network",
                  {"`default_nettype none // written by sme verilog\n", "// Replays a run of '"});
    if (path.ends_with(".hex"))
        result.fits = is_hex;
    else if (path.ends_with(".f"))
        result.fits = is_list_of_verilog;
    return result;
}

FileAccess::WriteRequest vhdl_file(const std::string& path) {
    FileAccess::WriteRequest result = with_mark(
        path, "VHDL of a network",
        {"library ieee; -- written by sme vhdl\n", "-- Replays a run of '", "by sme vhdl use"});
    if (path.ends_with(".hex"))
        result.fits = is_hex;
    else if (path.ends_with(".f"))
        result.fits = is_list_of_vhdl;
    return result;
}

FileAccess::WriteRequest names_file(std::string path) {
    return with_mark(std::move(path), "a file of names", {"\"format\": \"sme names "});
}

FileAccess::WriteRequest verilog_copy(std::string path) {
    return beginning_with(std::move(path), "a copy of Verilog", {"// A copy of '"});
}

namespace fs = std::filesystem;

namespace {

/// Claims files in sequence; stops at the first one that may not be written.
class Claims {
public:
    explicit Claims(FileAccess files) : files_{std::move(files)} {}

    void by_user(const FileAccess::WriteRequest& wish) {
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
    auto result = session::file_access(options.network, options.parameters, options.allow);
    if (options.force)
        result->force();
    if (options.safe)
        result->bound_reading();
    if (!options.resume.empty())
        result->note_read(options.resume);
    std::error_code error;
    for (const std::string& repeated : {options.schedule, options.partition})
        if (!repeated.empty() && fs::exists(repeated, error))
            result->note_read(repeated);
    return result;
}

int claim_output(FileAccess& files, const FileAccess::WriteRequest& wish) {
    std::string problem;
    if (files.claim(wish, problem) == FileAccess::Refusal::none)
        return exit_code::fine;
    report_error(Code::not_overwritten, problem);
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
            FileAccess::WriteRequest wish = trace_file(trace);
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
    if (!fs::exists(options.partition, error))
        claims.by_user(partition_file(options.partition));
    claims.by_user(checkpoint_file(options.checkpoint, options.resume));
    if (!options.emit_c.empty())
        claims.by_user(c_file(c_path(options, loaded)));
    return claims.exit_code();
}

} // namespace sme::cli
