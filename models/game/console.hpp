// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <sme/load.hpp>
#include <sme/sme.hpp>

#include "buttons.hpp"

namespace game {

constexpr unsigned width = 32;
constexpr unsigned height = 16;

enum class Phase : std::uint8_t { ready, play, over, won };

/// The console's display after a frame.
struct Picture {
    std::array<std::uint32_t, height> rows{}; ///< bit 0 is the leftmost pixel
    unsigned score = 0;
    unsigned lives = 0;
    Phase phase = Phase::ready;
};

/// Presses the buttons in a network.
class Hand : public sme::Process {
public:
    Hand(sme::Out<bool> left, sme::Out<bool> right, sme::Out<bool> start)
        : left_{left}, right_{right}, start_{start} {}
    void press(const Buttons& pressed) { pressed_ = pressed; }
    void step() {
        left_.write(pressed_.left);
        right_.write(pressed_.right);
        start_.write(pressed_.start);
    }

private:
    sme::Out<bool> left_;
    sme::Out<bool> right_;
    sme::Out<bool> start_;
    Buttons pressed_;
};

/// The network of a file such as play.yaml, with a process that presses its buttons.
class Console {
public:
    /// Throws sme::NetworkError if the file is not a console network.
    explicit Console(const std::string& path)
        : network_{sme::load(path, {.write_outputs = false})},
          hand_{network_.add<Hand>("hand", button(0), button(1), button(2))}, simulator_{network_} {
        shown();
    }

    /// Runs a frame with these buttons. Throws std::runtime_error if a check fails.
    Picture frame(const Buttons& pressed) {
        constexpr int cycles = 32;
        simulator_.process(hand_).press(pressed);
        for (int cycle = 0; cycle < cycles; ++cycle) {
            simulator_.run(sme::Cycles{1});
            if (simulator_.halted())
                throw std::runtime_error{why_halted()};
            if (simulator_.peek<bool>("line.lit"))
                rows_.at(simulator_.peek<std::uint8_t>("line.row")) =
                    simulator_.peek<std::uint32_t>("line.pixels");
        }
        return shown();
    }

private:
    sme::internal::OutArgument<bool> button(unsigned k) {
        return sme::out(network_.find<bool>("buttons[" + std::to_string(k) + "]"));
    }
    Picture shown() const {
        return {rows_, simulator_.peek<unsigned>("score"), simulator_.peek<unsigned>("lives"),
                static_cast<Phase>(simulator_.peek<std::uint8_t>("phase"))};
    }
    std::string why_halted() {
        for (const sme::CheckResult& check : network_.checks(simulator_))
            if (check.kind == sme::CheckResult::Kind::failed)
                return check.place + ": '" + check.text + "' failed in cycle " +
                       std::to_string(check.cycle);
        return "the network ended in cycle " + std::to_string(simulator_.cycle());
    }

    sme::LoadedNetwork network_;
    sme::Handle<Hand> hand_;
    sme::Simulator simulator_;
    std::array<std::uint32_t, height> rows_{};
};

/// Returns the console of a file. Throws BadInput if it has no console.
inline Console console_of(const std::string& path) {
    if (!std::filesystem::exists(path))
        throw models::BadInput{"'" + path +
                               "': there is no such file; start the game in the "
                               "folder of the project, or give --network FILE"};
    try {
        return Console{path};
    } catch (const sme::NetworkError& error) {
        throw models::BadInput{"'" + path + "' is not the network of a console:\n" + error.what()};
    }
}

} // namespace game
