// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/rows.hpp"

namespace sme::trace {

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
