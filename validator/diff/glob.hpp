// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sme::validator {

/// A pattern of names: `*` stands for any text, `?` for any character, all else for itself. It also
/// fits what lies below: "top.core" fits "top.core.x" and "top.core[3]".
class Glob {
public:
    explicit Glob(std::string pattern) : pattern_{std::move(pattern)} {}

    bool fits(std::string_view name) const { return match(name).has_value(); }

    /// How a name fits: what its `*` stand for, each as short as can be, and what lies below.
    struct Match {
        std::vector<std::string_view> stars;
        std::string_view below; // "", ".x" or "[3]"
    };
    std::optional<Match> match(std::string_view name) const;

    const std::string& pattern() const { return pattern_; }

private:
    std::string pattern_;
};

/// Gives names that fit `from` another beginning: `to`, in which each `*` is what one of `from`
/// stands for. An empty `from` fits every name, an empty `to` drops what fits.
struct NameMap {
    Glob from;
    std::string to;

    /// "TOP.top=top"; a sentence when it is none.
    static std::optional<NameMap> parse(const std::string& text, std::string& problem);
    std::optional<std::string> apply(std::string_view name) const;
};

} // namespace sme::validator
