// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vcd/declarations.hpp"

namespace sme::validator {

/// A pattern of names: `*` matches any text, `?` any character, all other characters themselves. It
/// also matches everything below: "top.core" matches "top.core.x" and "top.core[3]".
class Glob {
public:
    explicit Glob(std::string pattern) : pattern_{std::move(pattern)} {}

    bool fits(std::string_view name) const { return match(name).has_value(); }

    /// The match of a name: the texts of its `*`, each as short as possible, and the rest below.
    struct Match {
        std::vector<std::string_view> stars;
        std::string_view below; // "", ".x" or "[3]"
    };
    std::optional<Match> match(std::string_view name) const;

    const std::string& pattern() const { return pattern_; }

private:
    std::string pattern_;
};

/// Replaces the prefix of names that match `from` by `to`, in which each `*` is the text of a `*`
/// in `from`. An empty `from` matches every name; an empty `to` drops the matched prefix.
struct NameMap {
    Glob from;
    std::string to;

    /// Parses "TOP.top=top"; returns an error sentence if it is invalid.
    static std::optional<NameMap> parse(const std::string& text, std::string& problem);
    std::optional<std::string> apply(std::string_view name) const;
};

/// Numbers names in order of first occurrence. A few hundred thousand names dominate the time
/// before the first value: one table serves both files, and each name is looked up once.
class NameTable {
public:
    /// Returns the number of a name; its text must outlive the table.
    std::uint32_t add(std::string_view name);
    std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::string_view name(std::uint32_t number) const { return names_[number]; }

private:
    struct Entry {
        std::uint32_t hash;
        std::uint32_t number;
    };
    void grow();

    std::vector<Entry> entries_; // the size is a power of two, at most half full
    std::vector<std::string_view> names_;
};

/// The full names of a file's variables, in one text, and their numbers. Variables that differ only
/// in their ranges, "x [7:4]" and "x [3:0]", keep the ranges.
class FileNames {
public:
    /// `like` is a file with names in the same table; many names are expected here in the same
    /// order.
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
    std::vector<bool> in_parts_; // empty: all false
};

} // namespace sme::validator
