// SPDX-License-Identifier: Apache-2.0
#include "debug/frames.hpp"

#include <charconv>

#include <fmt/format.h>
#include <strings.h>

namespace sme::debug {

/// Removes the header; false if it is incomplete or invalid.
bool Frames::read_header() {
    const std::size_t end = waiting_.find("\r\n\r\n");
    if ((end == waiting_.npos ? waiting_.size() : end) > max_header) {
        problem_ = fmt::format("a header has more than {} bytes", max_header);
        return false;
    }
    if (end == waiting_.npos)
        return false;
    constexpr std::string_view name = "Content-Length:";
    for (std::size_t at = 0; at < end;) {
        const std::size_t line_end = std::min(waiting_.find("\r\n", at), end);
        std::string_view line{waiting_.data() + at, line_end - at};
        at = line_end + 2;
        if (line.size() < name.size() || strncasecmp(line.data(), name.data(), name.size()) != 0)
            continue;
        line.remove_prefix(name.size());
        while (line.starts_with(' '))
            line.remove_prefix(1);
        std::size_t length = 0;
        const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), length);
        if (length_ || error != std::errc{} || last != line.data() + line.size() ||
            length > max_message) {
            problem_ = fmt::format("Content-Length is no single number up to {}", max_message);
            return false;
        }
        length_ = length;
    }
    if (!length_)
        problem_ = "a header has no Content-Length";
    waiting_.erase(0, end + 4);
    return length_.has_value();
}

std::optional<std::string> Frames::next() {
    if (!problem_.empty() || (!length_ && !read_header()) || waiting_.size() < *length_)
        return std::nullopt;
    std::string message = waiting_.substr(0, *length_);
    waiting_.erase(0, *length_);
    length_.reset();
    return message;
}

std::string Frames::framed(const std::string& message) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

} // namespace sme::debug
