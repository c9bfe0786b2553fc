// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sme::expr {

/// Words and symbols of other languages, and how this one writes what they mean: for messages.

/// "'and'" for "&&"; empty for what is no such symbol.
std::string_view foreign_symbol(std::string_view symbol);
/// Calls `visit` with each of those symbols.
void for_each_foreign_symbol(const std::function<void(std::string_view)>& visit);
/// A word that stands behind a value: "'^'" for "xor", "'a when c', …" for "if"; else empty.
std::string_view foreign_operator(std::string_view word);
/// A character beyond ASCII: "'*'" for "×"; else empty.
std::string_view foreign_character(std::string_view character);

/// Whether it begins a loop in other languages: "for", "while".
bool is_loop_word(std::string_view word);
/// How a loop is written.
extern const std::string_view loop_form;
/// How bits are joined, instead of "{a, b}".
extern const std::string_view join_form;

/// What to write instead of a key of a step: "elsif c" or "for k < 3"; else empty.
std::string foreign_key(std::string_view key);
/// What to write instead of a line of a step that is a text: "y <= a"; else empty.
std::string foreign_assignment(std::string_view line);

} // namespace sme::expr
