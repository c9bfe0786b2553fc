// SPDX-License-Identifier: Apache-2.0
// Plays the game of play.yaml in a terminal.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <string>

#include "support/program.hpp"

#include "buttons.hpp"
#include "console.hpp"
#include "terminal.hpp"

namespace {

using namespace game;
using Clock = std::chrono::steady_clock;

struct Options {
    std::string network = "models/game/play.yaml";
    std::string record;
    std::string replay;
    std::uint64_t speed = 15; // frames per second
    bool step = false;
};

/// A game, from its first frame to the key that ends it.
class Game {
public:
    Game(const Options& options, Console& console, Terminal& terminal, Record replayed)
        : options_{options}, console_{console}, terminal_{terminal}, replayed_{std::move(replayed)},
          held_{options.step ? 1 : std::max<std::uint64_t>(2, options.speed / 8)} {}

    void play() {
        for (std::optional<Buttons> pressed{Buttons{}}; pressed; pressed = wait()) {
            const std::size_t frame = record_.size();
            record_.push_back(frame < replayed_.size() ? replayed_[frame] : *pressed);
            picture_ = console_.frame(record_.back());
            show();
        }
    }
    const Record& record() const { return record_; }
    const Picture& picture() const { return picture_; }

private:
    void show() { terminal_.show(picture_, record_.size(), advice() + ", q ends"); }

    std::string advice() const {
        if (paused_)
            return "p goes on";
        switch (picture_.phase) {
        case Phase::ready: return "space starts the ball";
        case Phase::play: return "arrow keys move the paddle";
        case Phase::over: return "game over: space begins anew";
        case Phase::won: break;
        }
        return "the wall is gone: space begins anew";
    }

    /// Returns the buttons when the next frame is due; `nullopt` if the game ends.
    std::optional<Buttons> wait() {
        using std::chrono::milliseconds;
        const auto time = Clock::now() + milliseconds{1000 / options_.speed};
        while (true) {
            const bool stands = options_.step || paused_ || !terminal_.too_small().empty();
            const auto rest = std::chrono::ceil<milliseconds>(time - Clock::now());
            if (!stands && rest.count() <= 0)
                return held_.next();
            const Key key = terminal_.key(stands ? milliseconds{100} : rest);
            if (key == Key::quit || key == Key::ended)
                return std::nullopt;
            take(key);
            if (options_.step && is_step(key))
                return held_.next();
        }
    }

    void take(Key key) {
        held_.press({key == Key::left, key == Key::right, key == Key::start});
        if (key == Key::pause && !options_.step)
            paused_ = !paused_;
        if (key == Key::pause || key == Key::resized)
            show();
    }
    static bool is_step(Key key) {
        return key == Key::left || key == Key::right || key == Key::start || key == Key::other;
    }

    const Options& options_;
    Console& console_;
    Terminal& terminal_;
    Record replayed_;
    Held held_;
    Record record_;
    Picture picture_;
    bool paused_ = false;
};

bool play(const Options& options) {
    const Record replayed = options.replay.empty() ? Record{} : record_of(options.replay);
    Console console = console_of(options.network);
    if (!options.record.empty() &&
        !std::ofstream{options.record, std::ios::app}) // before the game, not after
        throw models::BadInput{"'" + options.record + "' cannot be written; give another --record"};
    std::optional<Terminal> terminal{std::in_place};
    if (const std::string problem = terminal->too_small(); !problem.empty())
        throw models::BadInput{problem};
    Game game{options, console, *terminal, replayed};
    std::exception_ptr failure;
    try {
        game.play();
    } catch (...) { // a failed check: replaying the record shows it again
        failure = std::current_exception();
    }
    terminal.reset();
    if (!options.record.empty())
        models::write_file(options.record, text_of(game.record()));
    if (failure)
        std::rethrow_exception(failure);
    std::printf("game: %u of 24 bricks in %zu frames\n", game.picture().score,
                game.record().size());
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"game", "A game of bricks on an LED matrix, played in the terminal.\n"
                                    "Arrow keys or a and d move, space starts, p pauses, q ends"};
    program.text("network", options.network, "the network of the console")
        .number("speed", options.speed, 1, 100, "frames a second")
        .flag("step", options.step, "a frame for each key, instead of by time")
        .text("record", options.record, "a file for the buttons of each frame")
        .text("replay", options.replay, "a record that is played first");
    const int code = program.run(argc, argv, [&] { return play(options); });
    return code == 0 && last_signal() != 0 ? 128 + last_signal() : code;
}
