// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace sme::fst {
class TextStream;
}

namespace sme::vcd {

/// A file, pipe or text of any length, seen through a window of complete lines. It is read
/// forwards, once. For an FST file, shows the equivalent VCD text. Not thread-safe.
class Window {
public:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;
    static constexpr std::size_t longest_line = std::size_t{1} << 26;

    explicit Window(const std::string& path);
    /// `block`: the number of bytes read at a time.
    Window(std::string_view text, std::size_t block);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Returns the system's reason why it cannot be opened or read; empty if there is no problem.
    const std::string& problem() const { return problem_; }
    /// Returns whether it shows the text of an FST file.
    bool is_fst() const { return stream_ != nullptr; }
    /// Returns true if a line is longer than `longest_line`.
    bool line_too_long() const { return line_too_long_; }

    /// The bytes before `whole` are complete lines; 16 more bytes are readable after it, with
    /// undefined values.
    const char* begin() const { return buffer_.data(); }
    const char* whole() const { return buffer_.data() + whole_; }

    /// Drops the lines before the one of `keep` and reads more. Returns whether there are more
    /// bytes; `keep` then points to the same byte as before. At the end of the text, terminates an
    /// unterminated last line.
    bool read_on(const char*& keep);
    /// Returns whether we terminated the last line.
    bool ended_for_it() const { return ended_for_it_; }

    /// The position of a byte in the file: the 1-based line, and the offset of that line's first
    /// byte in the window.
    struct Place {
        std::uint64_t line;
        std::size_t line_begin;
    };
    Place place(const char* at) const;

private:
    void open_fst(const std::string& path);
    bool fill_line();
    std::size_t fill(std::size_t bytes);
    void end_last_line();

    std::vector<char> buffer_;
    std::size_t filled_ = 0;
    std::size_t whole_ = 0;
    std::size_t block_ = block_bytes;
    std::uint64_t lines_before_ = 0;
    std::string_view rest_; // remaining text
    int descriptor_ = -1;
    std::unique_ptr<fst::TextStream> stream_; // for an FST file
    std::string problem_;
    bool at_end_ = false;
    bool ended_for_it_ = false;
    bool line_too_long_ = false;
};

} // namespace sme::vcd

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
