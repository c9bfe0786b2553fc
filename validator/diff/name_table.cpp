// SPDX-License-Identifier: Apache-2.0
#include "diff/name_table.hpp"

#include <algorithm>
#include <functional>

namespace sme::validator {

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
