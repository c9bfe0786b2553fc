// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

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

} // namespace sme::expr
