// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "vcd/window.hpp"

namespace sme::vcd {

inline bool is_blank(char c) {
    return static_cast<unsigned char>(c) <= ' ';
}

/// Deviations from the standard in the output of simulators. Files with them are read, with one
/// warning for each kind.
enum class Unusual : std::uint8_t {
    scope_name,
    timescale,
    no_width,
    two_widths,
    time_fraction,
    vector_prefix,
    text_of_real,
    text_blanks
};

/// A position in a file: reads words in sequence and reports problems at the position.
class Cursor {
public:
    Cursor(std::string path, Window& window)
        : at{window.begin()}, path_{std::move(path)}, window_{window} {}

    /// Moves to the next byte that is not blank; false at the end.
    bool skip_blanks();
    /// Returns the next word, which is valid until the next call; empty at the end.
    std::string_view word();
    /// Moves past the next word "$end"; false if there is no such word.
    bool skip_section();
    /// Reads more and keeps the bytes from `at` on; false at the end.
    bool read_on();

    /// Returns a problem with the bytes [begin, end), which are in the window.
    Diagnostic problem(const char* begin, const char* end, std::string message) const;
    Diagnostic problem(std::string_view word, std::string message) const {
        return problem(word.data(), word.data() + word.size(), std::move(message));
    }
    /// Warns of the bytes [begin, end), once for each kind, and not in an incomplete last line.
    void warn(Unusual kind, const char* begin, const char* end, std::string_view message);
    void warn(Unusual kind, std::string_view word, std::string_view message) {
        warn(kind, word.data(), word.data() + word.size(), message);
    }
    const std::vector<Diagnostic>& warnings() const { return warnings_; }
    /// Returns why reading stopped here: a read error, an overlong line, or else the text `unless`.
    Diagnostic problem_at_end(std::string unless) const;
    /// Returns whether the file could be read at least up to here.
    bool good() const { return window_.problem().empty() && !window_.line_too_long(); }

    /// Returns whether a byte is in a last line without a newline.
    bool in_cut_line(const char* byte) const;
    const char* whole() const { return window_.whole(); }
    const std::string& path() const { return path_; }

    const char* at;

private:
    Diagnostic damaged(std::string_view why) const;
    Diagnostic at_place(Code code, Severity severity, const char* begin, const char* end,
                        std::string message) const;

    std::string path_;
    Window& window_;
    std::vector<Diagnostic> warnings_;
    unsigned warned_ = 0; // one bit for each kind
};

} // namespace sme::vcd
