// SPDX-License-Identifier: Apache-2.0
#include "diff/name_table.hpp"

#include <algorithm>
#include <functional>

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
    NameMap result{Glob{text.substr(0, equals)}, text.substr(equals + 1)};
    const std::string& from = result.from.pattern();
    if (std::count(result.to.begin(), result.to.end(), '*') >
        std::count(from.begin(), from.end(), '*')) {
        problem = fmt::format("'{}' has more '*' than '{}'", result.to, from);
        return std::nullopt;
    }
    return result;
}

std::optional<std::string> NameMap::apply(std::string_view name) const {
    if (from.pattern().empty())
        return to.empty() ? std::string{name} : to + "." + std::string{name};
    const auto match = from.match(name);
    if (!match)
        return std::nullopt;
    std::string result;
    std::size_t star = 0;
    for (const char c : to)
        if (c == '*')
            result += match->stars[star++];
        else
            result += c;
    const bool drop_dot = result.empty() && match->below.starts_with('.');
    return result + std::string{match->below.substr(drop_dot ? 1 : 0)};
}

using vcd::Declarations;
using vcd::Variable;

namespace {

constexpr std::uint32_t no_number = ~std::uint32_t{0};

bool is_part_of_name(const std::string& range) {
    return range.find(':') == std::string::npos;
}

} // namespace

std::uint32_t NameTable::add(std::string_view name) {
    if (2 * (names_.size() + 1) > entries_.size())
        grow();
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
    std::size_t at = hash & (entries_.size() - 1);
    for (; entries_[at].number != no_number; at = (at + 1) & (entries_.size() - 1))
        if (entries_[at].hash == hash && names_[entries_[at].number] == name)
            return entries_[at].number;
    entries_[at] = {hash, count()};
    names_.push_back(name);
    return count() - 1;
}

void NameTable::grow() {
    std::vector<Entry> old(std::max<std::size_t>(1024, 4 * entries_.size()), Entry{0, no_number});
    old.swap(entries_);
    for (const Entry& entry : old) {
        if (entry.number == no_number)
            continue;
        std::size_t at = entry.hash & (entries_.size() - 1);
        while (entries_[at].number != no_number)
            at = (at + 1) & (entries_.size() - 1);
        entries_[at] = entry;
    }
}

FileNames::FileNames(const Declarations& declarations, NameTable& table, const FileNames* like)
    : table_{table} {
    write(declarations);
    add(table, like);
    keep_ranges(declarations, table);
}

/// Writes the same text as `vcd::full_name`, without a string per name.
void FileNames::write(const Declarations& declarations) {
    const std::size_t count = declarations.variables.size();
    text_.reserve(32 * count);
    ends_.reserve(count);
    std::string scope;
    std::uint32_t scope_number = no_number;
    for (const Variable& variable : declarations.variables) {
        if (variable.scope != scope_number) {
            scope_number = variable.scope;
            scope = declarations.path(scope_number);
            if (!scope.empty())
                scope += '.';
        }
        text_ += scope;
        text_ += variable.name;
        if (is_part_of_name(variable.range))
            text_ += variable.range;
        ends_.push_back(text_.size());
    }
}

void FileNames::add(NameTable& table, const FileNames* like) {
    numbers_.reserve(ends_.size());
    std::size_t begin = 0;
    for (std::uint32_t k = 0; k < ends_.size(); ++k) {
        const auto name = std::string_view{text_}.substr(begin, ends_[k] - begin);
        const bool same = like && k < like->count() && (*like)[k] == name;
        numbers_.push_back(same ? like->numbers_[k] : table.add(name));
        begin = ends_[k];
    }
}

void FileNames::keep_ranges(const Declarations& declarations, NameTable& table) {
    const std::vector<Variable>& variables = declarations.variables;
    std::vector<std::uint32_t> first(table.count(), no_number); // the first variable of a name
    std::vector<bool> parts(table.count());
    bool any = false;
    for (std::uint32_t k = 0; k < count(); ++k) {
        std::uint32_t& other = first[numbers_[k]];
        if (other == no_number)
            other = k;
        else if (variables[other].range != variables[k].range)
            any = parts[numbers_[k]] = true;
    }
    if (!any)
        return;
    in_parts_.resize(count());
    for (std::uint32_t k = 0; k < count(); ++k)
        if (parts[numbers_[k]] && !is_part_of_name(variables[k].range)) {
            in_parts_[k] = true;
            longer_.push_back(std::string{(*this)[k]} + variables[k].range);
            numbers_[k] = table.add(longer_.back());
        }
}

} // namespace sme::validator
