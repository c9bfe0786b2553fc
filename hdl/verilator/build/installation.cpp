// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/installation.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/module/version.h"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

std::string text_of(unsigned version) {
    return fmt::format("{}.{:03}", version / 1000, version % 1000);
}

/// Parses the line '#define VERILATOR_VERSION "5.006 2023-01-22"'; some builds write "5.6".
unsigned version_in(std::string_view header) {
    constexpr std::string_view before = "#define VERILATOR_VERSION \"";
    const std::size_t at = header.find(before);
    unsigned major = 0, minor = 0;
    if (at == std::string_view::npos)
        return 0;
    const char* const end = header.data() + header.size();
    const auto point = std::from_chars(header.data() + at + before.size(), end, major);
    if (point.ec != std::errc{} || point.ptr == end || *point.ptr != '.' ||
        std::from_chars(point.ptr + 1, end, minor).ec != std::errc{} || minor >= 1000)
        return 0;
    return major * 1000 + minor;
}

unsigned version_at(const std::string& root) {
    constexpr std::size_t max_bytes = std::size_t{1} << 20;
    return version_in(
        read_file(root + "/include/verilated_config.h", max_bytes).text.value_or(std::string{}));
}

} // namespace

std::string Installation::version_text() const {
    return version == 0 ? "of an unknown version" : text_of(version);
}

bool Installation::writes_json() const {
    return version >= SME_VERILATOR_WRITES_JSON;
}

std::string Installation::problem() const {
    if (version >= SME_VERILATOR_OLDEST)
        return {};
    return fmt::format("the Verilator in '{}' is {}, but {} and newer ones work, tried up to {}",
                       root, version_text(), text_of(SME_VERILATOR_OLDEST),
                       text_of(SME_VERILATOR_NEWEST));
}

Installation installed_beside(const std::string& program) {
    const char* const chosen = std::getenv("VERILATOR_ROOT");
    std::error_code error;
    const fs::path folder = fs::canonical(program, error).parent_path();
    for (const std::string& root : {std::string{chosen ? chosen : ""}, (folder / "..").string(),
                                    (folder / "../share/verilator").string()})
        if (!program.empty() && !root.empty() &&
            fs::exists(root + "/include/verilated_config.h", error))
            return {fs::canonical(root, error).string(), version_at(root)};
    return {};
}

Installation installation_of(const Settings& settings) {
    Installation result = installed_beside(settings.verilator);
    if (!result.root.empty() || settings.verilator.empty() || !settings.may_build)
        return result;
    settings.progress("asking Verilator for its folder");
    const ProgramEnd asked = run_tool(settings, settings.verilator, {"--getenv", "VERILATOR_ROOT"},
                                      ProgramStreams::output_taken);
    result.root = asked.output.substr(0, asked.output.find('\n'));
    result.version = version_at(result.root);
    return result;
}

std::string described_in_path() {
    Settings settings;
    settings.verilator = find_program("verilator").value_or(std::string{});
    if (settings.verilator.empty())
        return "no Verilator in PATH, so no modules in Verilog\n";
    const Installation found = installation_of(settings);
    const std::string problem = found.problem();
    return fmt::format("Verilator {}: {}\n{}{}", found.version_text(), settings.verilator, problem,
                       problem.empty() ? "" : "\n");
}

} // namespace sme::verilator
