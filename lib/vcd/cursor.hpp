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

/// What simulators write although the standard does not allow it. Files with it are read, with one
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

/// A place in a file, its words one after another, and what is wrong there.
class Cursor {
public:
    Cursor(std::string path, Window& window)
        : at{window.begin()}, path_{std::move(path)}, window_{window} {}

    /// Goes to the next byte that is no blank; false when there is none.
    bool skip_blanks();
    /// The next word, which stays until the next call; empty at the end.
    std::string_view word();
    /// Goes behind the next word "$end"; false when there is none.
    bool skip_section();
    /// Reads on and keeps what is behind `at`; false at the end.
    bool read_on();

    /// What is wrong with the bytes [begin, end), which lie in the window.
    Diagnostic problem(const char* begin, const char* end, std::string message) const;
    Diagnostic problem(std::string_view word, std::string message) const {
        return problem(word.data(), word.data() + word.size(), std::move(message));
    }
    /// Warns of the bytes [begin, end), once for each kind, and not in a line that was cut off.
    void warn(Unusual kind, const char* begin, const char* end, std::string_view message);
    void warn(Unusual kind, std::string_view word, std::string_view message) {
        warn(kind, word.data(), word.data() + word.size(), message);
    }
    const std::vector<Diagnostic>& warnings() const { return warnings_; }
    /// Why it went no further than here: the file cannot be read, or ends with `unless`.
    Diagnostic problem_at_end(std::string unless) const;
    /// The file could be read up to here, at least.
    bool good() const { return window_.problem().empty() && !window_.line_too_long(); }

    /// Whether a byte stands in a last line that the file does not end.
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
    unsigned warned_ = 0; // a bit for each kind
};

} // namespace sme::vcd
