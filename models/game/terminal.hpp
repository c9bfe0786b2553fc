// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "console.hpp"

namespace game {

/// Input from the terminal.
enum class Key : std::uint8_t {
    none, ///< no input within the time limit
    left,
    right,
    start,
    pause,
    quit,
    other,
    resized,
    ended, ///< a signal, or the terminal closed
};

/// The terminal during a game; the destructor restores it. One at a time.
class Terminal {
public:
    /// Throws BadInput if standard input or output is not a terminal, or cannot be drawn on.
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Returns an empty text, or the necessary change if the game does not fit.
    std::string too_small() const;
    void show(const Picture& picture, std::uint64_t frame, const std::string& advice);
    /// Returns the next key; waits for at most this time.
    Key key(std::chrono::milliseconds most);

private:
    struct Screen;
    std::unique_ptr<Screen> screen_;
};

/// Returns the last of SIGINT, SIGTERM and SIGHUP that arrived while a Terminal existed; 0: no
/// signal.
int last_signal();

} // namespace game
