// SPDX-License-Identifier: Apache-2.0
#include "vcd/cursor.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::vcd {

bool Cursor::read_on() {
    const bool more = window_.read_on(at);
    if (more)
        at = window_.begin();
    return more;
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
