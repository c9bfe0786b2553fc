// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/page_file.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/find_program.hpp"
#include "base/kept_folder.hpp"
#include "base/program.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "session/loading.hpp"

namespace sme::cli {

namespace {

constexpr std::size_t max_page_bytes = std::size_t{64} << 20;

std::string file_text(const std::string& path) {
    return read_file(path, max_page_bytes).text.value_or(std::string{});
}

/// Bundles the page in the build folder, unless another process has done so. Returns the error
/// message, or empty. `reason` is the build's log file.
std::string bundle(const std::string& page, const std::string& reason) {
    const std::optional<std::string> cmake = find_program("cmake");
    if (!cmake)
        return "cmake, which bundles it, is not in PATH";
    catch_signals();
    print_note("bundling the page of reports");
    const KeptFolder::Lock lock{SME_BUILD, "build", &interrupted()}; // as in tools/build.sh
    if (!lock.problem().empty())
        return lock.problem();
    std::error_code error;
    if (std::filesystem::exists(page, error))
        return {};
    std::filesystem::remove(reason, error); // remove the log of an earlier attempt
    const ProgramLimit limit{.unwanted = &interrupted()};
    const ProgramEnd end = run_program(*cmake, {"--build", SME_BUILD, "--target", "report_page"},
                                       ProgramStreams::all_taken, {}, &limit);
    if (end.good())
        return file_text(reason);
    return end.problem.empty() ? fmt::format("'cmake --build' failed:\n{}", end.output)
                               : end.problem;
}

} // namespace

PageFile read_page(const Options& options) {
    const std::string installed = session::installed_folder();
    const std::string path =
        installed.empty() ? SME_BUILD "/sim/report/page.html" : installed + "/report.html";
    PageFile page{file_text(path), {}};
    if (!page.text.empty())
        return page;
    if (!installed.empty())
        page.problem =
            fmt::format("'{}' is not there; install sme again where node and npm are", path);
    else if (!options.compile || options.safe)
        page.problem = "it is not bundled yet, and this call may not start programs";
    else
        page.problem = bundle(path, SME_BUILD "/sim/report/page.txt");
    if (page.problem.empty())
        page.text = file_text(path);
    return page;
}

} // namespace sme::cli
