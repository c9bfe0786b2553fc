// SPDX-License-Identifier: Apache-2.0
#include "vcd/cursor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "fst/structure.hpp"
#include "fst/text_stream.hpp"
#include "vcd/value.hpp"

namespace sme::vcd {

namespace {

constexpr std::size_t padding = 16; // readable bytes after the last one

/// Returns the number of line ends in a text; tests eight bytes at a time.
std::uint64_t lines_in(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    std::uint64_t count = 0;
    while (text.size() >= 8) {
        const std::uint64_t word = load_eight(text.data()) ^ ('\n' * ones);
        const std::uint64_t not_zero = ((word & 0x7f * ones) + 0x7f * ones) | word;
        count += ((~not_zero & 0x80 * ones) >> 7) * ones >> 56; // the sum of the eight flags
        text.remove_prefix(8);
    }
    return count + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

Window::Window(const std::string& path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
        problem_ = std::strerror(errno);
    else if (S_ISDIR(status.st_mode))
        problem_ = "it is a folder";
    else if (S_ISREG(status.st_mode) && fst::is_fst(descriptor_))
        open_fst(path);
    buffer_.resize(block_ + padding);
}

Window::Window(std::string_view text, std::size_t block) : block_{block}, rest_{text} {
    buffer_.resize(block_ + padding);
}

Window::~Window() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void Window::open_fst(const std::string& path) {
    stream_ = std::make_unique<fst::TextStream>(descriptor_, path);
    problem_ = stream_->problem();
}

/// Appends up to `bytes` bytes; returns their number.
std::size_t Window::fill(std::size_t bytes) {
    if (descriptor_ < 0) {
        const std::size_t count = rest_.copy(buffer_.data() + filled_, bytes);
        rest_.remove_prefix(count);
        return count;
    }
    while (true) {
        const ssize_t got =
            ::read(stream_ ? stream_->descriptor() : descriptor_, buffer_.data() + filled_, bytes);
        if (got == 0 && stream_)
            problem_ = stream_->end();
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR) {
            problem_ = std::strerror(errno);
            return 0;
        }
    }
}

bool Window::read_on(const char*& keep) {
    if (at_end_ || !problem_.empty())
        return false;
    const std::size_t kept = static_cast<std::size_t>(keep - begin());
    const std::size_t dropped = std::string_view{begin(), kept}.rfind('\n') + 1; // npos + 1 is 0
    lines_before_ += lines_in({begin(), dropped});
    filled_ -= dropped;
    std::memmove(buffer_.data(), buffer_.data() + dropped, filled_);
    const bool more = fill_line();
    keep = begin() + (kept - dropped);
    return more;
}

/// Reads until the window ends with a complete line that was not in it before.
bool Window::fill_line() {
    whole_ = 0;
    while (true) {
        if (filled_ >= longest_line) {
            line_too_long_ = true;
            return false;
        }
        // Twice as much as is kept: a long line is moved only a few times.
        const std::size_t wanted = std::max(block_, filled_);
        buffer_.resize(std::max(buffer_.size(), filled_ + wanted + padding));
        const std::size_t got = fill(wanted);
        if (got == 0) {
            at_end_ = true;
            end_last_line();
            return problem_.empty() && whole_ > 0;
        }
        const std::size_t searched = filled_;
        filled_ += got;
        for (std::size_t at = filled_; at > searched; --at)
            if (buffer_[at - 1] == '\n') {
                whole_ = at;
                return true;
            }
    }
}

void Window::end_last_line() {
    if (filled_ > 0 && buffer_[filled_ - 1] != '\n') {
        buffer_[filled_++] = '\n';
        ended_for_it_ = true;
    }
    whole_ = filled_;
}

Window::Place Window::place(const char* at) const {
    const std::string_view before{begin(), static_cast<std::size_t>(at - begin())};
    const std::size_t line_end = before.rfind('\n');
    return {lines_before_ + 1 + lines_in(before),
            line_end == std::string_view::npos ? 0 : line_end + 1};
}

bool Cursor::read_on() {
    return window_.read_on(at);
}

bool Cursor::skip_blanks() {
    while (true) {
        while (at < window_.whole() && is_blank(*at))
            ++at;
        if (at < window_.whole())
            return true;
        if (!read_on())
            return false;
    }
}

std::string_view Cursor::word() {
    if (!skip_blanks())
        return {};
    const char* const begin = at;
    while (!is_blank(*at))
        ++at;
    return {begin, static_cast<std::size_t>(at - begin)};
}

bool Cursor::skip_section() {
    while (true) {
        const std::string_view next = word();
        if (next.empty() || next == "$end")
            return !next.empty();
    }
}

Diagnostic Cursor::at_place(Code code, Severity severity, const char* begin, const char* end,
                            std::string message) const {
    const Window::Place place = window_.place(begin);
    const char* const line = window_.begin() + place.line_begin;
    const char* const line_end = std::find(begin, window_.whole(), '\n');
    constexpr std::ptrdiff_t most = 4096; // of a line that the message shows
    std::string text{line, std::min(line_end, begin + most)};
    const auto at_byte = static_cast<std::uint32_t>(begin - line);
    const auto length = static_cast<std::uint32_t>(std::min(end - begin, most));
    const auto source =
        std::make_shared<Source>(path_, std::move(text), static_cast<std::uint32_t>(place.line));
    return {
        code, severity, {source, at_byte, at_byte + length, nullptr, 0}, std::move(message), {}};
}

/// In an FST file, omits the location, which would be in a text that the user does not see.
Diagnostic Cursor::problem(const char* begin, const char* end, std::string message) const {
    if (window_.is_fst())
        return damaged(message);
    return at_place(Code::vcd_syntax, Severity::error, begin, end, std::move(message));
}

void Cursor::warn(Unusual kind, const char* begin, const char* end, std::string_view message) {
    const unsigned bit = 1u << static_cast<unsigned>(kind);
    if ((warned_ & bit) != 0 || in_cut_line(begin))
        return;
    warned_ |= bit;
    if (window_.is_fst())
        return warnings_.push_back({Code::vcd_unusual,
                                    Severity::warning,
                                    {},
                                    fmt::format("'{}': {}", path_, message),
                                    {}});
    warnings_.push_back(
        at_place(Code::vcd_unusual, Severity::warning, begin, end, std::string{message}));
}

Diagnostic Cursor::damaged(std::string_view why) const {
    return {Code::file_unreadable,
            Severity::error,
            {},
            fmt::format("cannot read '{}': it is damaged: {}", path_, why),
            {}};
}

Diagnostic Cursor::problem_at_end(std::string unless) const {
    if (!window_.problem().empty())
        return {Code::file_unreadable,
                Severity::error,
                {},
                fmt::format("cannot read '{}': {}", path_, window_.problem()),
                {}};
    if (window_.line_too_long())
        unless = fmt::format("a line is longer than {} MiB", Window::longest_line >> 20);
    if (window_.is_fst())
        return damaged(unless);
    return {Code::vcd_syntax,
            Severity::error,
            {},
            fmt::format("'{}' is no VCD file: {}", path_, unless),
            {}};
}

bool Cursor::in_cut_line(const char* byte) const {
    return window_.ended_for_it() && std::find(byte, window_.whole(), '\n') + 1 == window_.whole();
}

} // namespace sme::vcd
