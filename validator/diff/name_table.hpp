// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "vcd/declarations.hpp"

namespace sme::validator {

/// Numbers names in the order in which they come first. A few hundred thousand names are the most
/// of what a comparison has to do before the first value: one table serves both files, and a name
/// is looked for once.
class NameTable {
public:
    /// The number of a name, whose text must stay.
    std::uint32_t add(std::string_view name);
    std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::string_view name(std::uint32_t number) const { return names_[number]; }

private:
    struct Entry {
        std::uint32_t hash;
        std::uint32_t number;
    };
    void grow();

    std::vector<Entry> entries_; // a power of two of them, at most half are taken
    std::vector<std::string_view> names_;
};

/// The full names of the variables of a file, in one text, and their numbers. Variables that differ
/// in their ranges only, "x [7:4]" and "x [3:0]", keep these.
class FileNames {
public:
    /// `like` is a file with names in the same table, of which many are expected to stand here in
    /// the same order.
    FileNames(const vcd::Declarations& declarations, NameTable& table, const FileNames* like);
    FileNames(const FileNames&) = delete;
    FileNames& operator=(const FileNames&) = delete;

    std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()); }
    std::string_view operator[](std::uint32_t variable) const {
        return table_.name(numbers_[variable]);
    }
    const std::vector<std::uint32_t>& numbers() const { return numbers_; }
    bool keeps_range(std::uint32_t variable) const {
        return !in_parts_.empty() && in_parts_[variable];
    }

private:
    void write(const vcd::Declarations& declarations);
    void add(NameTable& table, const FileNames* like);
    void keep_ranges(const vcd::Declarations& declarations, NameTable& table);

    const NameTable& table_;
    std::string text_;
    std::vector<std::size_t> ends_; // in `text_`
    std::deque<std::string> longer_;
    std::vector<std::uint32_t> numbers_;
    std::vector<bool> in_parts_; // empty: no variable is
};

} // namespace sme::validator
