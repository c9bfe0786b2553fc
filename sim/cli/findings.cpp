// SPDX-License-Identifier: Apache-2.0
#include "cli/findings.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/options.hpp"

namespace sme::cli {

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names, std::size_t most, std::size_t all) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    const std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    return all > most ? fmt::format("{} and {} more", text, all - most) : text;
}

namespace {

void hint(const std::vector<Diagnostic>& findings) {
    const auto first = std::find_if(findings.begin(), findings.end(), [](const Diagnostic& each) {
        return each.severity != Severity::warning;
    });
    if (first != findings.end() && is_terminal(STDERR_FILENO))
        print_error(fmt::format("'sme explain {}' tells more\n", info(first->code).slug));
}

} // namespace

void show(const Diagnostics& diagnostics) {
    print_error(render(diagnostics));
    hint(diagnostics.all());
}

void show(const std::vector<Diagnostic>& findings) {
    for (const Diagnostic& finding : findings)
        print_error(render(finding));
    hint(findings);
}

std::string complaint(Code code, std::string message) {
    return render(Diagnostic{code, Severity::error, {}, std::move(message), {}});
}

void report_error(Code code, std::string message) {
    print_error(complaint(code, std::move(message)));
}

int exit_code_of(const session::Outcome& outcome) {
    if (outcome.was_interrupted())
        return signal_exit_code();
    return outcome.ending().well ? exit_code::fine : exit_code::model_failed;
}

void print_note(const std::string& text) {
    print_error(fmt::format("note: {}\n", shown_text(text)));
}

int output_failed(int error) {
    if (error == EPIPE)
        return 128 + SIGPIPE;
    report_error(Code::file_unwritable, "cannot write to standard output");
    return exit_code::file;
}

namespace {

/// Quotes a word for a shell.
std::string shell_word(const std::string& word) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view{"-_./=:,+@%"}.find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain))
        return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return result + "'";
}

} // namespace

std::string command_line(const std::vector<std::string>& words) {
    std::string result = "sme";
    for (const std::string& word : words)
        result += " " + shell_word(word);
    return result;
}

} // namespace sme::cli
