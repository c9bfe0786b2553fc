// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/view/rows.hpp"

namespace sme::trace {

/// The radix of signals that a pattern matches, as `Selection` has them, or whose type it names.
struct RadixRule {
    std::string pattern;
    Radix radix;
};

/// Of "core.pc=hex"; nothing when it is written otherwise.
std::optional<RadixRule> radix_rule(std::string_view written);
/// The words for radixes: "bin, dec, signed, hex".
std::string radix_names();

/// Gives the signals their radix: the last rule that fits counts. The patterns that fit none.
std::vector<std::string> give_radixes(const std::vector<RadixRule>& rules, std::vector<Row>& rows);

} // namespace sme::trace
