// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

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

} // namespace sme::cli
