// SPDX-License-Identifier: Apache-2.0
#include "base/source.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme {

Source::Source(std::string path, std::string text)
    : path_{std::move(path)}, text_{std::move(text)}, line_starts_{0} {
    for (std::size_t at = 0; at < text_.size(); ++at)
        if (text_[at] == '\n')
            line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
}

Source::Position Source::position(std::uint32_t offset) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
    return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view Source::line(std::uint32_t line) const {
    if (line == 0 || line > line_count())
        return {};
    const std::size_t begin = line_starts_[line - 1];
    const std::size_t end = line < line_count() ? line_starts_[line] - 1 : text_.size();
    std::string_view found = text().substr(begin, end - begin);
    if (!found.empty() && found.back() == '\r')
        found.remove_suffix(1);
    return found;
}

std::uint32_t Source::offset(std::uint32_t line, std::uint32_t column) const {
    const auto end = static_cast<std::uint32_t>(text_.size());
    if (line == 0 || line > line_count())
        return end;
    return std::min(end, line_starts_[line - 1] + column - 1);
}

std::string describe(const Location& location) {
    if (location.source) {
        const auto at = location.source->position(location.begin);
        return fmt::format("{}:{}:{}", location.source->path(), at.line, at.column);
    }
    return location.file ? fmt::format("{}:{}", location.file, location.line) : std::string{};
}

} // namespace sme
