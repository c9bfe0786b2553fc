// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sme::trace {

/// Splits patterns at commas outside brackets, and removes spaces.
std::vector<std::string> split_patterns(std::string_view text);

/// True if a pattern matches the whole of a name, which must not contain spaces.
bool fits_name(std::string_view pattern, std::string_view name);

/// A list of name patterns, separated by commas outside brackets. `*` matches any text, `?` any
/// character, `2..5` a number from 2 to 5; brackets match themselves; spaces are ignored.
class Selection {
public:
    explicit Selection(std::string_view patterns) : patterns_{split_patterns(patterns)} {}

    /// True without patterns, so that everything matches.
    bool everything() const { return patterns_.empty(); }
    /// True if a pattern matches the name or one of its enclosing names: "token" matches "token[3]"
    /// and "token.valid".
    bool matches(std::string_view name) const;

private:
    std::vector<std::string> patterns_;
};

} // namespace sme::trace
