// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/vcd_names.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::trace {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_plain(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The families that may have a member with this name: "a_1_2" can belong to "a_1" and to "a".
std::vector<std::string> possible_families(const std::string& name) {
    std::vector<std::string> found;
    std::size_t end = name.size();
    while (true) {
        std::size_t begin = end;
        while (begin > 0 && is_digit(name[begin - 1]))
            --begin;
        if (begin == end)
            return found;
        if (begin > 0 && name[begin - 1] == 'm')
            --begin;
        if (begin == 0 || name[begin - 1] != '_')
            return found;
        end = begin - 1;
        found.push_back(name.substr(0, end));
    }
}

} // namespace

std::string sanitised(std::string_view name) {
    std::string made{name.empty() ? "_" : name};
    std::replace_if(
        made.begin(), made.end(), [](char c) { return !is_plain(c); }, '_');
    return made;
}

std::string for_comment(std::string_view name) {
    std::string made{name};
    std::replace_if(
        made.begin(), made.end(), [](char c) { return c == '$' || (c >= 0 && c < ' '); }, '?');
    return made;
}

std::string identifier(std::uint32_t signal) {
    std::string digits;
    for (std::uint64_t rest = std::uint64_t{signal} + 1; rest > 0; rest = (rest - 1) / 94)
        digits += static_cast<char>('!' + (rest - 1) % 94);
    return digits;
}

void append_index(std::string& name, std::int64_t index) {
    name += index < 0 ? "_m" : "_";
    const fmt::format_int digits{index};
    name.append(digits.data() + (index < 0), digits.size() - (index < 0));
}

bool NameSet::is_free(const std::string& name) const {
    const std::vector<std::string> families = possible_families(name);
    return !singles_.contains(name) &&
           std::none_of(families.begin(), families.end(),
                        [&](const std::string& family) { return families_.contains(family); });
}

bool NameSet::is_free_for_family(const std::string& name) const {
    const std::vector<std::string> families = possible_families(name);
    return !families_.contains(name) && !blocked_.contains(name) &&
           std::none_of(families.begin(), families.end(),
                        [&](const std::string& family) { return families_.contains(family); });
}

void NameSet::block_families(const std::string& name) {
    for (std::string& family : possible_families(name))
        blocked_.insert(std::move(family));
}

// The v prevents the appended number from looking like an index.

std::string NameSet::place(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !is_free(name); ++k)
        name = fmt::format("{}_v{}", wanted, k);
    singles_.insert(name);
    block_families(name);
    return name;
}

std::string NameSet::place_family(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !is_free_for_family(name); ++k)
        name = fmt::format("{}_v{}", wanted, k);
    families_.insert(name);
    block_families(name);
    return name;
}

} // namespace sme::trace
