// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sme::yaml {

/// What YAML takes for space, ends of lines included.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// The bytes in a file at which a parser of YAML would end a plain text too early: the colons in
/// the maps of fields that stand in it, as in `x: Pair = {a: 1, b: 2}`, and the brace of a map with
/// which it begins, as in `x: {a: 1} when c`. In ascending order. A map stands on the lines of its
/// text, in block style; what YAML reads as a map of its own is left alone.
std::vector<std::size_t> bytes_of_plain_maps(std::string_view text);

/// The quote that closes the double quote at `open`, on its line; npos when there is none.
std::size_t closing_quote(std::string_view text, std::size_t open);

} // namespace sme::yaml
