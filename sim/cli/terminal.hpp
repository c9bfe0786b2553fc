// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace sme::cli {

/// From now on the first Ctrl-C, SIGTERM or SIGHUP ends a run or a build in good order, a second
/// one immediately. Programs that were started with a limit end with it.
void catch_signals();

/// For a command that waits for input, after catch_signals: Ctrl-C only calls `on_interrupt`.
/// SIGTERM and SIGHUP end the command; they call it repeatedly until the command has ended. A
/// blocking read fails with EINTR.
void interrupt_waiting(void (*on_interrupt)(int));

/// True if a signal was received.
const std::atomic<bool>& interrupted();
/// The number of the signal; 0 if there was no signal.
const std::atomic<int>& interrupted_by();
/// 128 + its number.
int signal_exit_code();

/// Collects what this thread prints to standard output and standard error, in order, while alive:
/// a run beside others. The thread then has no terminal.
class CapturedOutput {
public:
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::string* const outer_;
};

/// Prints to standard output; returns an errno, or 0.
int print_output(std::string_view text);
int flush_output();
/// Prints to standard error; returns false if that is impossible.
bool try_print_error(std::string_view text);
/// The same, but throws std::system_error.
void print_error(std::string_view text);
/// True if a descriptor of standard output or standard error is a terminal.
bool is_terminal(int descriptor);

/// The number of characters in a line of standard output: COLUMNS, else the width of the terminal,
/// else 80.
std::size_t output_columns();

/// The number of lines of the terminal on standard output; 24 if it is not a terminal.
std::size_t output_lines();

/// True if standard output takes characters beyond ASCII: a terminal with a UTF-8 locale, and
/// everything that is not a terminal, so that files do not depend on the locale.
bool output_takes_unicode();

} // namespace sme::cli
