// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace sme::cli {

/// From now on the first Ctrl-C, SIGTERM or SIGHUP ends a run, or what is built for it, in good
/// order, a second one at once. Programs that were started with a limit end with it.
void catch_signals();

/// For a command that waits for input, after catch_signals: Ctrl-C calls `on_interrupt` and nothing
/// else. SIGTERM and SIGHUP end the command, so they call it again and again until it has ended. A
/// read that waits fails with EINTR.
void interrupt_waiting(void (*on_interrupt)(int));

/// Whether there was one.
const std::atomic<bool>& interrupted();
/// Its number; 0: there was none.
const std::atomic<int>& interrupted_by();
/// 128 + its number.
int signal_exit_code();

} // namespace sme::cli
