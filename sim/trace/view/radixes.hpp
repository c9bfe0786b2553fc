// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sme/type.hpp"
#include "trace/view/rows.hpp"

namespace sme::trace {

/// A file of a view.
struct ViewFile {
    std::string name;
    std::string text;
};

/// Files with the value names of enumerations, one per type, numbered from 1: "stem.Phase.txt", or
/// "stem.Phase-2.txt" for another type with the same name.
class ValueNames {
public:
    /// Creates the text of a type's file; `name` is the file name without its extension.
    using Text = std::string (*)(const Type& type, const std::string& name);

    ValueNames(std::string stem, std::size_t most, Text text)
        : stem_{std::move(stem)}, most_{most}, text_{text} {}

    /// The number of a type; 0 if there are too many.
    std::size_t number_of(const TypeRef& type);
    const std::string& file(std::size_t number) const { return files_[number - 1].name; }
    std::vector<ViewFile> take() { return std::move(files_); }

private:
    std::string name_for(const std::string& type);

    std::string stem_;
    std::size_t most_;
    Text text_;
    std::vector<ViewFile> files_;
    std::map<std::string, std::size_t> numbers_; // by full description
    std::map<std::string, unsigned> uses_;
};

/// A radix for the signals that a pattern of a `Selection` matches, or for a named type.
struct RadixRule {
    std::string pattern;
    Radix radix;
};

/// Parses "core.pc=hex"; `nullopt` if invalid.
std::optional<RadixRule> radix_rule(std::string_view written);
/// The names of all radixes: "bin, dec, signed, hex".
std::string radix_names();

/// Applies the radixes to the signals; the last matching rule wins. Returns the patterns without a
/// match.
std::vector<std::string> give_radixes(const std::vector<RadixRule>& rules, std::vector<Row>& rows);

} // namespace sme::trace
