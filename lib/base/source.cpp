// SPDX-License-Identifier: Apache-2.0
#include "base/source.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme {

namespace {

/// Returns the length in bytes of the first character; 0 if it is not UTF-8.
std::size_t bytes_of_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = first < 0x80   ? 1
                              : first < 0xc2 ? 0
                              : first < 0xe0 ? 2
                              : first < 0xf0 ? 3
                              : first < 0xf5 ? 4
                                             : 0;
    if (bytes > text.size())
        return 0;
    for (std::size_t k = 1; k < bytes; ++k)
        if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80)
            return 0;
    return bytes;
}

/// ASCII has 33 control characters; Unicode adds 32 from U+0080 on.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character.front());
    if (character.size() == 1)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

} // namespace

std::string shown_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = bytes_of_character(text);
        const std::string_view character = text.substr(0, bytes > 0 ? bytes : 1);
        if (bytes > 0 && !is_control(character))
            result += character;
        else
            for (const char byte : character)
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        text.remove_prefix(character.size());
    }
    return result;
}

Source::Source(std::string path, std::string text, std::uint32_t first_line)
    : path_{std::move(path)}, text_{std::move(text)}, first_line_{first_line}, line_starts_{0} {
    for (std::size_t at = 0; at < text_.size(); ++at)
        if (text_[at] == '\n')
            line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
}

Source::Position Source::position(std::uint32_t offset) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto line = static_cast<std::uint32_t>(next - line_starts_.begin() - 1);
    return {first_line_ + line, offset - line_starts_[line] + 1};
}

std::string_view Source::line(std::uint32_t line) const {
    if (!holds(line))
        return {};
    const std::size_t place = line - first_line_;
    const std::size_t begin = line_starts_[place];
    const std::size_t end =
        place + 1 < line_starts_.size() ? line_starts_[place + 1] - 1 : text_.size();
    std::string_view found = text().substr(begin, end - begin);
    if (!found.empty() && found.back() == '\r')
        found.remove_suffix(1);
    return found;
}

std::uint32_t Source::offset(std::uint32_t line, std::uint32_t column) const {
    const auto end = static_cast<std::uint32_t>(text_.size());
    if (!holds(line))
        return end;
    return std::min(end, line_starts_[line - first_line_] + column - 1);
}

std::string describe(const Location& location) {
    if (location.source && !location.source->has_lines())
        return location.source->path();
    if (location.source) {
        const auto at = location.source->position(location.begin);
        return fmt::format("{}:{}:{}", location.source->path(), at.line, at.column);
    }
    return location.file ? fmt::format("{}:{}", location.file, location.line) : std::string{};
}

} // namespace sme
