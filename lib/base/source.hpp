// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// Makes a text safe for a terminal: control characters other than line feed and tab, and bytes
/// that are not UTF-8, become escapes such as "\\x1b". File names and file contents may contain any
/// bytes.
std::string shown_text(std::string_view text);

/// A text to which diagnostics refer: its path as the user wrote it, and its bytes.
class Source {
public:
    /// `first_line` is greater than 1 for a part of a file that is too long to be kept, and 0 for
    /// the text of an option, which has no lines.
    Source(std::string path, std::string text, std::uint32_t first_line = 1);

    const std::string& path() const { return path_; }
    std::string_view text() const { return text_; }
    bool has_lines() const { return first_line_ > 0; }

    /// 1-based line and column (in bytes) of a byte offset.
    struct Position {
        std::uint32_t line;
        std::uint32_t column;
    };
    Position position(std::uint32_t offset) const;

    /// The text of a 1-based line, without its line end.
    std::string_view line(std::uint32_t line) const;

    /// Returns the byte offset of a 1-based line and column; the end of the text if the line does
    /// not exist.
    std::uint32_t offset(std::uint32_t line, std::uint32_t column) const;

    std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }

private:
    bool holds(std::uint32_t line) const {
        return line >= first_line_ && line - first_line_ < line_count();
    }

    std::string path_;
    std::string text_;
    std::uint32_t first_line_;
    std::vector<std::uint32_t> line_starts_;
};

using SourceRef = std::shared_ptr<const Source>;

/// The location of a piece of text: bytes [begin, end) of a source, or a line of a C++ file.
struct Location {
    SourceRef source;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    const char* file = nullptr; // a C++ file; then `line` is its line
    std::uint32_t line = 0;

    bool known() const { return source != nullptr || file != nullptr; }
};

/// Returns "path:line:column" or "file:line"; empty if the location is unknown.
std::string describe(const Location& location);

} // namespace sme
