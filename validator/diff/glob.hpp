// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

} // namespace sme::validator
