// SPDX-License-Identifier: Apache-2.0
#include "vcd/window.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fst/structure.hpp"
#include "fst/text_stream.hpp"
#include "vcd/words.hpp"

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

bool Window::read_on(const char* keep) {
    if (at_end_ || !problem_.empty())
        return false;
    lines_before_ += lines_in({begin(), static_cast<std::size_t>(keep - begin())});
    filled_ -= static_cast<std::size_t>(keep - begin());
    std::memmove(buffer_.data(), keep, filled_);
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

} // namespace sme::vcd
