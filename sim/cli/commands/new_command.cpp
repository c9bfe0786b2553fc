// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/project/project_files.hpp"
#include "cli/terminal.hpp"
#include "expr/syntax/lexer.hpp"

namespace sme::cli {

namespace {

namespace fs = std::filesystem;

bool is_name(const std::string& text) {
    return expr::is_identifier(text) && !expr::is_reserved(text);
}

/// Returns the most similar valid network name.
std::string nearest_name(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    while (result.ends_with('_'))
        result.pop_back();
    if (result.empty())
        return "my_project";
    if (std::isdigit(static_cast<unsigned char>(result.front())) != 0)
        result.insert(0, "n");
    return is_name(result) ? result : result + "_1";
}

std::string replaced(std::string_view text, const std::string& name) {
    constexpr std::string_view place = "my_project";
    std::string result;
    while (true) {
        const std::size_t at = text.find(place);
        result += text.substr(0, at);
        if (at == std::string_view::npos)
            return result;
        result += name;
        text.remove_prefix(at + place.size());
    }
}

int refuse_name(const std::string& name, const fs::path& folder) {
    const std::string nearest = (folder.parent_path() / nearest_name(name)).string();
    report_error(
        Code::bad_name,
        expr::is_reserved(name)
            ? fmt::format("'{}' is a word of the language and no name of a network; write "
                          "sme new {}",
                          shown_text(name), shown_text(nearest))
            : fmt::format("a network is called after its folder, but '{}' is no name: letters, "
                          "digits and _, and no digit first; write sme new {}",
                          shown_text(name), shown_text(nearest)));
    return exit_code::usage;
}

/// Creates the folder, or accepts an empty one. Returns `fine`, or the exit code after reporting
/// the error.
int make_folder(const fs::path& folder) {
    const std::string shown = shown_text(folder.string());
    std::error_code problem;
    if (const bool result = fs::create_directory(folder, problem); result)
        return exit_code::fine;
    if (!problem && fs::is_empty(folder, problem) && !problem)
        return exit_code::fine;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(folder, ignored))) {
        report_error(
            Code::not_overwritten,
            fmt::format("'{}' is there already{}; give another name", shown,
                        fs::is_directory(folder, ignored) && !problem ? " and is not empty" : ""));
        return exit_code::usage;
    }
    report_error(Code::file_unwritable,
                 fmt::format("the folder '{}' cannot be made: {}", shown, problem.message()));
    return exit_code::file;
}

} // namespace

int new_command(const Options& options) {
    fs::path folder = fs::path{options.argument}.lexically_normal();
    if (!folder.has_filename() && folder.has_parent_path())
        folder = folder.parent_path(); // "name/"
    const std::string name = folder.filename().string();
    if (!is_name(name))
        return refuse_name(name, folder);
    if (const int refused = make_folder(folder); refused != exit_code::fine)
        return refused;
    catch_signals();
    for (const ProjectFile& file : project_files()) {
        if (interrupted())
            return signal_exit_code();
        OutputFile output{(folder / file.name).string()};
        output.write(replaced(file.text, name));
        if (!output.commit()) {
            report_error(Code::file_unwritable, output.problem());
            return exit_code::file;
        }
        fmt::print("  wrote        {}\n", shown_text(output.path()));
    }
    if (!find_program("sme")) // sme is not in PATH: it was started by tools/sme or by its path
        fmt::print("'sme' is not in PATH; first: alias sme='{}'\n", shown_text(running_program()));
    fmt::print("now: cd {} && sme run network.yaml\n", shown_text(folder.string()));
    return exit_code::fine;
}

} // namespace sme::cli
