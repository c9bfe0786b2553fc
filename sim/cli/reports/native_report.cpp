// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/native_report.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

namespace {

using Part = session::NativeRun::Part;

/// Reports on several C files: live ones in the order in which they took over, then the reasons of
/// the others.
std::string part_lines(const Options& options, const std::vector<Part>& parts) {
    std::vector<std::pair<double, std::string>> live;
    std::map<std::string, std::vector<std::size_t>> left_out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Part& part = parts[k];
        if (!part.live) {
            left_out[part.why.empty() ? "the run ended before it was compiled" : part.why]
                .push_back(k + 1);
            continue;
        }
        const std::string when =
            options.execution == Execution::native
                ? std::string{}
                : fmt::format("{} processes native from cycle {} on, {:.3f} s after the first; ",
                              part.families, part.cycle, part.after_s);
        live.emplace_back(part.after_s,
                          fmt::format("  C file {} of {}: {}{} in {:.4f} s\n", k + 1, parts.size(),
                                      when, part.kept ? "taken from the cache" : "compiled",
                                      part.seconds));
    }
    std::stable_sort(live.begin(), live.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::string made;
    for (const auto& [after_s, line] : live)
        made += line;
    for (const auto& [why, files] : left_out)
        made += fmt::format("  C file{} {} of {} left out: {}\n", files.size() == 1 ? "" : "s",
                            fmt::join(files, ", "), parts.size(), shown_text(why));
    return made;
}

std::string why_interpreted(const Options& options, const session::NativeRun& run) {
    if (options.execution == Execution::interpreted)
        return "as --engine says";
    return options.validate ? "the judge looks at each step" : run.why();
}

} // namespace

std::string native_report(const Options& options, const session::NativeRun& run) {
    if (run.live() == 0)
        return fmt::format("engine: interpreted; {}\n", why_interpreted(options, run));
    const std::vector<Part>& parts = run.parts();
    const native::Native& native = *run.native();
    const Part* first = nullptr;
    bool kept = true;
    double compiling_s = 0;
    for (const Part& part : parts) {
        compiling_s += part.seconds;
        if (!part.live)
            continue;
        kept = kept && part.kept;
        if (!first || part.after_s < first->after_s)
            first = &part;
    }
    const std::string when = options.execution == Execution::native
                                 ? std::string{}
                                 : fmt::format(" from cycle {} on, {:.3f} s after the first",
                                               first->cycle, first->after_s);
    const std::string of =
        run.live() == parts.size() ? "" : fmt::format("{} of ", native.families());
    const std::string files =
        parts.size() == 1 ? "" : fmt::format(" in {} of {} C files", run.live(), parts.size());
    return fmt::format("engine: native{}; {}{} processes as {} functions{}, written in {:.4f} s, "
                       "{} in {:.4f} s; {} cycles in the cycle kernel\n{}",
                       when, of, native.c_module().families().size(), native.c_module().functions(),
                       files, run.writing_s(), kept ? "taken from the cache" : "compiled",
                       compiling_s, native.cycles_in_kernels(),
                       parts.size() > 1 ? part_lines(options, parts) : "");
}

int write_c(const std::string& path, const native::CModule& unit) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path{path}.parent_path(), error);
    OutputFile file{path};
    file.write(unit.text());
    if (file.commit())
        return exit_code::fine;
    complain(Code::file_unwritable, file.problem());
    return exit_code::file;
}

} // namespace sme::cli
