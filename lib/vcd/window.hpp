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

/// A file, a pipe or a text of any length, seen through a window that holds whole lines. It is read
/// forwards, once. Of an FST file it shows what a VCD file of the same values has. Not thread-safe.
class Window {
public:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;
    static constexpr std::size_t longest_line = std::size_t{1} << 26;

    explicit Window(const std::string& path);
    /// `block` bytes are read at a time.
    Window(std::string_view text, std::size_t block);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Why it cannot be opened or read, as the system says it; empty while all is well.
    const std::string& problem() const { return problem_; }
    /// It shows the text of an FST file.
    bool is_fst() const { return stream_ != nullptr; }
    /// A line is longer than `longest_line`.
    bool line_too_long() const { return line_too_long_; }

    /// The bytes before `whole` are whole lines; 16 more may be loaded behind it, whatever they
    /// are.
    const char* begin() const { return buffer_.data(); }
    const char* whole() const { return buffer_.data() + whole_; }

    /// Drops what lies before `keep` and reads on. Whether there are more bytes; what was at `keep`
    /// is at `begin()` now. At the end of a text whose last line is not ended, it is.
    bool read_on(const char* keep);
    /// The last line was ended by us.
    bool ended_for_it() const { return ended_for_it_; }

    /// Where a byte of the window stands in the file: 1-based line, and the offset in the window of
    /// that line's first byte, which for a very long line is the window's.
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
    std::string_view rest_; // of a text
    int descriptor_ = -1;
    std::unique_ptr<fst::TextStream> stream_; // of an FST file
    std::string problem_;
    bool at_end_ = false;
    bool ended_for_it_ = false;
    bool line_too_long_ = false;
};

} // namespace sme::vcd
