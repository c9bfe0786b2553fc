// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sme::trace {

/// Patterns between commas outside brackets, without spaces.
std::vector<std::string> split_patterns(std::string_view text);

/// Whether a pattern fits the whole of a name without spaces.
bool fits_name(std::string_view pattern, std::string_view name);

/// A list of patterns of names, separated by commas outside brackets. `*` stands for any text, `?`
/// for any character, `2..5` for a number from 2 to 5; brackets are what they are in names; spaces
/// do not count.
class Selection {
public:
    explicit Selection(std::string_view patterns) : patterns_{split_patterns(patterns)} {}

    /// No pattern was given: everything matches.
    bool everything() const { return patterns_.empty(); }
    /// Whether a pattern matches the name, or one that it lies below: "token" matches "token[3]"
    /// and "token.valid".
    bool matches(std::string_view name) const;

private:
    std::vector<std::string> patterns_;
};

} // namespace sme::trace
