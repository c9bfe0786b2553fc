// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// Words and symbols of other languages, and their equivalents in SME, for messages.

/// Returns "'and'" for "&&"; empty for any other text.
std::string_view foreign_symbol(std::string_view symbol);
/// Calls `visit` with each of those symbols.
void for_each_foreign_symbol(const std::function<void(std::string_view)>& visit);
/// Returns the equivalent of a word after a value: "'^'" for "xor", "'a when c', …" for "if"; else
/// empty.
std::string_view foreign_operator(std::string_view word);
/// Returns the equivalent of a non-ASCII character: "'*'" for "×"; else empty.
std::string_view foreign_character(std::string_view character);

/// Returns true if the word starts a loop in other languages: "for", "while".
bool is_loop_word(std::string_view word);
/// How to write a loop.
extern const std::string_view loop_form;
/// How to join bits, instead of "{a, b}".
extern const std::string_view join_form;

/// Returns the equivalent of a foreign key of a step, such as "elsif c" or "for k < 3"; else empty.
std::string foreign_key(std::string_view key);
/// Returns the equivalent of a foreign assignment in a step, such as "y <= a"; else empty.
std::string foreign_assignment(std::string_view line);

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
/// Reports a reserved word that is used as a name, once in a file; `what` is "a name".
void report_reserved(std::string_view word, std::string_view what, const Location& where,
                     Diagnostics& diagnostics);
/// Reports a reserved word where a value belongs, unless its use as a name is reported; false if it
/// is no such word, or one that begins or continues an expression.
bool report_reserved_value(std::string_view word, const Location& where, Diagnostics& diagnostics);
bool is_identifier(std::string_view word);

} // namespace sme::expr
