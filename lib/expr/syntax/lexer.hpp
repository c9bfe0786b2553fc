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
        path, // between the parentheses of file(...), which may have others in pairs
        end,
    };
    Kind kind;
    std::string_view text; // into the Text
    std::size_t begin;
    std::size_t end;
};

/// The tokens of a text, the last one being `end`. `#` begins a comment to the end of the line.
/// What is no token is reported once, and left out.
std::vector<Token> tokenize(const Text& text, Diagnostics& diagnostics);

/// Whether a word may be the name of something.
bool is_reserved(std::string_view word);
bool is_identifier(std::string_view word);

} // namespace sme::expr
