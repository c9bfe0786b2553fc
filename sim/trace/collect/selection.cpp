// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/selection.hpp"

#include <algorithm>

namespace sme::trace {

namespace {

bool ends_a_name(std::string_view name, std::size_t at) {
    return at == name.size() || name[at] == '.' || name[at] == '[';
}

/// Goes on after the last `*` with one character more in it whenever the rest does not fit.
bool matches_one(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t after_star = std::string_view::npos;
    std::size_t star_end = 0;
    while (true) {
        if (p == pattern.size() && ends_a_name(name, n))
            return true;
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

Selection::Selection(std::string_view patterns) {
    std::string pattern;
    const auto add = [&] {
        if (!pattern.empty())
            patterns_.push_back(std::move(pattern));
        pattern.clear();
    };
    int depth = 0;
    for (const char c : patterns) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth <= 0)
            add();
        else if (c != ' ')
            pattern += c;
    }
    add();
}

bool Selection::matches(std::string_view name) const {
    std::string without_spaces{name};
    std::erase(without_spaces, ' ');
    return everything() || std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& one) {
               return matches_one(one, without_spaces);
           });
}

} // namespace sme::trace
