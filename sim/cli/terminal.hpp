// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

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

/// The number of characters in a line of standard output: COLUMNS, else the width of the terminal,
/// else 80.
std::size_t output_columns();

/// The number of lines of the terminal on standard output; 24 if it is not a terminal.
std::size_t output_lines();

/// True if standard output takes characters beyond ASCII: a terminal with a UTF-8 locale, and
/// everything that is not a terminal, so that files do not depend on the locale.
bool output_takes_unicode();

} // namespace sme::cli
