// SPDX-License-Identifier: Apache-2.0
#include "diff/glob.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::validator {

namespace {

bool ends_a_name(std::string_view name, std::size_t at) {
    return at == name.size() || name[at] == '.' || name[at] == '[';
}

} // namespace

/// On a mismatch, extends the last `*` by one character and retries.
std::optional<Glob::Match> Glob::match(std::string_view name) const {
    Match found;
    std::size_t p = 0, n = 0, after_star = std::string::npos, star_begin = 0, star_end = 0;
    while (true) {
        if (p == pattern_.size() && ends_a_name(name, n)) {
            if (after_star != std::string::npos)
                found.stars.push_back(name.substr(star_begin, star_end - star_begin));
            found.below = name.substr(n);
            return found;
        }
        if (p < pattern_.size() && pattern_[p] == '*') {
            if (after_star != std::string::npos)
                found.stars.push_back(name.substr(star_begin, star_end - star_begin));
            after_star = ++p;
            star_begin = star_end = n;
        } else if (p < pattern_.size() && n < name.size() &&
                   (pattern_[p] == '?' || pattern_[p] == name[n])) {
            ++p;
            ++n;
        } else if (after_star != std::string::npos && star_end < name.size()) {
            p = after_star;
            n = ++star_end;
        } else
            return std::nullopt;
    }
}

std::optional<NameMap> NameMap::parse(const std::string& text, std::string& problem) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        problem = fmt::format("it is written FROM=TO, but this is '{}'", text);
        return std::nullopt;
    }
    NameMap made{Glob{text.substr(0, equals)}, text.substr(equals + 1)};
    const std::string& from = made.from.pattern();
    if (std::count(made.to.begin(), made.to.end(), '*') >
        std::count(from.begin(), from.end(), '*')) {
        problem = fmt::format("'{}' has more '*' than '{}'", made.to, from);
        return std::nullopt;
    }
    return made;
}

std::optional<std::string> NameMap::apply(std::string_view name) const {
    if (from.pattern().empty())
        return to.empty() ? std::string{name} : to + "." + std::string{name};
    const auto match = from.match(name);
    if (!match)
        return std::nullopt;
    std::string made;
    std::size_t star = 0;
    for (const char c : to)
        if (c == '*')
            made += match->stars[star++];
        else
            made += c;
    const bool drop_dot = made.empty() && match->below.starts_with('.');
    return made + std::string{match->below.substr(drop_dot ? 1 : 0)};
}

} // namespace sme::validator
