// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "console.hpp"

namespace game {

/// What came from the terminal.
enum class Key : std::uint8_t {
    none, ///< nothing, for as long as the call was to wait
    left,
    right,
    start,
    pause,
    quit,
    other,
    resized,
    ended, ///< a signal, or the terminal is gone
};

/// The terminal while a game is played in it; the destructor leaves it as it was. One at a time.
class Terminal {
public:
    /// Throws BadInput when standard input or output is no terminal, or not one that can be drawn
    /// on.
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Empty, or what to change when the game does not fit.
    std::string too_small() const;
    void show(const Picture& picture, std::uint64_t frame, const std::string& advice);
    /// The next key, for which it waits at most that long.
    Key key(std::chrono::milliseconds most);

private:
    struct Screen;
    std::unique_ptr<Screen> screen_;
};

/// The last of SIGINT, SIGTERM and SIGHUP that arrived while there was a Terminal; 0: none.
int last_signal();

} // namespace game
