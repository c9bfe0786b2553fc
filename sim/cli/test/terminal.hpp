// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/test/command.hpp"

namespace sme::test {

/// A shell in a real terminal: a window of a tmux server of its own, which ends with this object.
/// No wait depends on the speed of the machine: each waits for a text on the screen.
class TmuxTerminal {
public:
    TmuxTerminal(int columns, int lines)
        : opened_{
              tmux(fmt::format("new-session -d -x {} -y {} \"PS1='$ ' exec sh\"", columns, lines))
                  .exit_code == 0} {}
    ~TmuxTerminal() {
        if (opened_)
            tmux("kill-server");
    }
    TmuxTerminal(const TmuxTerminal&) = delete;
    TmuxTerminal& operator=(const TmuxTerminal&) = delete;

    /// True if tmux is available.
    bool opened() const { return opened_; }
    /// Presses keys, given by their names in tmux, such as "Space Left C-c".
    void press(const std::string& keys) { tmux("send-keys " + keys); }
    /// Types a line, which must not contain single quotes.
    void type(const std::string& line) { tmux("send-keys -l '" + line + "' \\; send-keys Enter"); }
    void resize(int columns, int lines) {
        tmux(fmt::format("resize-window -x {} -y {}", columns, lines));
    }
    /// Waits at most ten seconds for a text on the screen, and returns the screen.
    std::string when(const std::string& text) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{10};
        std::string seen = tmux("capture-pane -p").out;
        while (seen.find(text) == seen.npos && std::chrono::steady_clock::now() < limit) {
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
            seen = tmux("capture-pane -p").out;
        }
        return seen;
    }

private:
    Command tmux(const std::string& command) const {
        return Command{fmt::format("LC_ALL=C.UTF-8 tmux -u -L sme-{}-{} -f /dev/null {}",
                                   ::getpid(), fmt::ptr(this), command),
                       Command::any_program};
    }
    bool opened_;
};

} // namespace sme::test
