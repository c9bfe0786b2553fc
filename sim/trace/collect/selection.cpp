// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/selection.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace sme::trace {

namespace {

bool ends_a_name(std::string_view name, std::size_t at) {
    return at == name.size() || name[at] == '.' || name[at] == '[';
}

/// Parses a number at the front of a text and removes it.
std::optional<std::int64_t> take_number(std::string_view& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{})
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// Matches "2..5" in a pattern with a number in a name; on success, advances both positions.
bool takes_range(std::string_view pattern, std::string_view name, std::size_t& p, std::size_t& n) {
    constexpr std::string_view dots = "..";
    if (p == 0 || p == pattern.size() || (pattern[p - 1] != '[' && pattern[p - 1] != ','))
        return false;
    std::string_view written = pattern.substr(p), rest = name.substr(n);
    const auto low = take_number(written);
    if (!low || !written.starts_with(dots))
        return false;
    written.remove_prefix(dots.size());
    const auto high = take_number(written), number = take_number(rest);
    if (!high || !number || *number < *low || *number > *high)
        return false;
    p = pattern.size() - written.size();
    n = name.size() - rest.size();
    return true;
}

/// On a mismatch, backtracks to the last `*` and extends its match by one character.
bool matches_one(std::string_view pattern, std::string_view name, bool whole) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t after_star = std::string_view::npos;
    std::size_t star_end = 0;
    while (true) {
        if (p == pattern.size() && (whole ? n == name.size() : ends_a_name(name, n)))
            return true;
        if (takes_range(pattern, name, p, n))
            continue;
        if (p < pattern.size() && pattern[p] == '*') {
            after_star = ++p;
            star_end = n;
        } else if (p < pattern.size() && n < name.size() &&
                   (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (after_star != std::string_view::npos && star_end < name.size()) {
            p = after_star;
            n = ++star_end;
        } else
            return false;
    }
}

} // namespace

std::vector<std::string> split_patterns(std::string_view text) {
    std::vector<std::string> patterns;
    std::string pattern;
    const auto add = [&] {
        if (!pattern.empty())
            patterns.push_back(std::move(pattern));
        pattern.clear();
    };
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth <= 0)
            add();
        else if (c != ' ')
            pattern += c;
    }
    add();
    return patterns;
}

bool fits_name(std::string_view pattern, std::string_view name) {
    return matches_one(pattern, name, true);
}

bool Selection::matches(std::string_view name) const {
    std::string without_spaces{name};
    std::erase(without_spaces, ' ');
    return everything() || std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& one) {
               return matches_one(one, without_spaces, false);
           });
}

} // namespace sme::trace
