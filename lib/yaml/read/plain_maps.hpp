// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sme::yaml {

/// Returns true for YAML whitespace, including line ends.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Returns the bytes in a file at which a YAML parser would end a plain text too early: the colons
/// in the maps of fields that it contains, as in `x: Pair = {a: 1, b: 2}`, and the brace of a map
/// at its start, as in `x: {a: 1} when c`. In ascending order. A map lies on the lines of its text,
/// in block style; a map that YAML itself reads as a map is left alone.
std::vector<std::size_t> bytes_of_plain_maps(std::string_view text);

/// Returns the closing quote for the double quote at `open`, on its line; npos if absent.
std::size_t closing_quote(std::string_view text, std::size_t open);

} // namespace sme::yaml
