// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/text.hpp"

namespace sme::expr {

struct Token {
    enum class Kind : std::uint8_t {
        number,
        name,
        symbol,
        path, // between the parentheses of file(...); may contain matched parentheses
        end,
    };
    Kind kind;
    std::string_view text; // part of the Text
    std::size_t begin;
    std::size_t end;
};

/// Splits a text into tokens; the last one is `end`. `#` begins a comment to the end of the line.
/// An invalid token is reported once and skipped.
std::vector<Token> tokenize(const Text& text, Diagnostics& diagnostics);

/// Returns true if a word is reserved, so it cannot be a name.
bool is_reserved(std::string_view word);
bool is_identifier(std::string_view word);

} // namespace sme::expr
