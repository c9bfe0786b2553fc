// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

/// Prints the lines of processes to standard output.
class StandardOutput final : public engine::PrintSink {
public:
    void print(const std::string& line) override {
        if (before_print)
            before_print();
        write(line + '\n');
    }
    void write(const std::string& text) {
        if (error_ == 0)
            error_ = print_output(text);
    }
    void flush() {
        if (error_ == 0)
            error_ = flush_output();
    }
    /// An errno; 0 if all writes succeeded.
    int error() const { return error_; }

    /// Called before each line that a process prints, to clear the terminal line. May be empty.
    std::function<void()> before_print{};

private:
    int error_ = 0;
};

/// "1 cycle", "3 cycles".
std::string counted(std::uint64_t count, const char* one, const char* many);

inline constexpr std::size_t max_named = 8; // names in one message

/// "a, b and 7 more": lists at most `most` names, and counts the rest up to `all`.
std::string listed(const std::vector<std::string>& names, std::size_t most, std::size_t all);
inline std::string listed(const std::vector<std::string>& names, std::size_t most) {
    return listed(names, most, names.size());
}

/// Prints findings to standard error. On a terminal, mentions after an error how to learn more
/// about the first one.
void show(const Diagnostics& diagnostics);
void show(const std::vector<Diagnostic>& findings);

/// Prints an error without a location.
void report_error(Code code, std::string message);

/// The exit code of the command after a run that ended so, apart from its checks and files.
int exit_code_of(const session::Outcome& outcome);

/// Prints a note; the run continues.
void print_note(const std::string& text);

/// Reports that standard output cannot be written, with the reason `error` (an errno), except on
/// EPIPE. Returns the exit code.
int output_failed(int error);

/// "sme run 'a b.yaml'": the command with these words, for a shell.
std::string command_line(const std::vector<std::string>& words);

/// The text that `report_error` prints.
std::string complaint(Code code, std::string message);

} // namespace sme::cli
