// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace game {

/// The pressed buttons of the console.
struct Buttons {
    bool left = false;
    bool right = false;
    bool start = false;
};

/// Buttons pressed by the keys of a terminal. A terminal reports a press, repeatedly while the key
/// is held, but not its release; so a press lasts for several frames, and one of start, which
/// counts once, for a single frame.
class Held {
public:
    explicit Held(std::uint64_t frames) : frames_{frames} {}

    void press(const Buttons& pressed) {
        if (pressed.left || pressed.right) { // the latest one counts
            left_ = pressed.left ? frames_ : 0;
            right_ = pressed.right ? frames_ : 0;
        }
        if (pressed.start)
            start_ = 1;
    }
    /// Returns the buttons of the next frame.
    Buttons next() {
        const auto is_down = [](std::uint64_t& rest) { return rest > 0 && rest-- > 0; };
        return {is_down(left_), is_down(right_), is_down(start_)};
    }

private:
    std::uint64_t frames_;
    std::uint64_t left_ = 0; // frames for which it stays pressed
    std::uint64_t right_ = 0;
    std::uint64_t start_ = 0;
};

/// Returns the buttons of a game, frame by frame, in the format of keys.csv.
using Record = std::vector<Buttons>;

inline const std::string header = "data.left,data.right,data.start";

inline std::string text_of(const Record& record) {
    std::string text = header + "\n";
    for (const Buttons& frame : record)
        for (const bool down : {frame.left, frame.right, frame.start}) {
            text += down ? '1' : '0';
            text += text.find_last_of('\n') + 6 == text.size() ? '\n' : ',';
        }
    return text;
}

/// Throws BadInput for text that text_of does not produce.
inline Record record_of(const std::string& path) {
    const std::string text = models::bytes_of(path);
    Record record;
    std::size_t number = 1;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1, ++number) {
        end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const auto bit = [&](std::size_t at) { return line[at] == '0' || line[at] == '1'; };
        if (number == 1 && line == header)
            continue;
        if (number == 1 || line.size() != 5 || !bit(0) || line[1] != ',' || !bit(2) ||
            line[3] != ',' || !bit(4))
            throw models::BadInput{path + ":" + std::to_string(number) + ": give " +
                                   (number == 1 ? "'" + header + "'" : "a frame such as '0,1,0'")};
        record.push_back({line[0] == '1', line[2] == '1', line[4] == '1'});
    }
    return record;
}

} // namespace game
