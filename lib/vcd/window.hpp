// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

    /// Drops everything before `keep` and reads more. Returns whether there are more bytes; the
    /// byte at `keep` moves to `begin()`. At the end of the text, terminates an unterminated last
    /// line.
    bool read_on(const char* keep);
    /// Returns whether we terminated the last line.
    bool ended_for_it() const { return ended_for_it_; }

    /// The position of a byte in the file: the 1-based line, and the offset of that line's first
    /// byte in the window; for a very long line, that of the window.
    struct Place {
        std::uint64_t line;
        std::size_t line_begin;
    };
    Place place(const char* at) const;

private:
    void open_fst(const std::string& path);
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
