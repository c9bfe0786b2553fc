// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"

namespace sme::yaml {

struct Aligned {
    expr::Text text;
    std::size_t end = 0; // one past its last raw byte; if quoted, its expected closing quote
};

/// Finds the raw byte of each byte of a scalar. Folding and indentation only drop or join blanks;
/// quotes have escapes. `begin` is the start of the scalar: its quote, its '|' or '>', or its first
/// byte. `raw` is the text as the parser saw it, with the same byte positions as the source.
Aligned align(const SourceRef& source, std::string_view raw, std::size_t begin,
              const std::string& value);

/// Returns the length of the UTF-8 character with this first byte.
constexpr std::size_t utf8_size(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// Returns true for YAML whitespace, including line ends.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Returns the bytes in a file at which a YAML parser would end a plain text too early: the colons
/// in the maps of fields that it contains, as in `x: Pair = {a: 1, b: 2}`, the brace of a map at
/// its start, as in `x: {a: 1} when c`, and the brackets, commas and colons of expressions in a map
/// or list that YAML itself reads, as in `{x[2]: u8, y: f(a, b)}`. In ascending order.
std::vector<std::size_t> bytes_of_plain_maps(std::string_view text);

/// Returns the closing quote for the double quote at `open`, on its line; npos if absent.
std::size_t closing_quote(std::string_view text, std::size_t open);

/// The text of a file with those bytes covered that a YAML parser would misread. The quoted text of
/// a `print:` is not YAML if a condition follows, so each of its bytes is replaced by a letter. It
/// begins on the line of its key or the next one, and ends on the line it begins on. Maps of fields
/// in plain texts are not YAML either; plain_maps.hpp defines which of their bytes are covered.
class TextMask {
public:
    /// `source` must outlive it.
    explicit TextMask(const Source& source);

    std::string_view text() const { return covered_.empty() ? source_ : covered_; }
    /// Restores the covered bytes in a value from the parser; returns whether there were any.
    bool restore(expr::Text& value) const;

private:
    std::string_view source_;
    std::string covered_; // empty: no bytes covered
};

inline constexpr std::string_view flow_sentence =
    "the entries of this map or list in flow style ({...} or [...]) cannot be told apart; put "
    "commas between them, or write block style, one line for each entry";
inline constexpr std::string_view alias_sentence =
    "anchors (&x) and aliases (*x) are not part of the language; an expression does not begin with "
    "'&' or '*'";
inline constexpr std::string_view tag_sentence =
    "tags (!x) are not part of the language; 'not' negates a bool";

/// Checks the raw bytes before the YAML parser sees them: invalid characters, more than one
/// document, brackets nested too deeply. False if the parser must not see the text. `covered` is
/// the text for the parser, with the same byte positions as the source.
bool prescan(const SourceRef& source, std::string_view covered, Diagnostics& diagnostics);

/// Explains why the parser failed at a byte, in terms of the language if the reason is known.
void explain_syntax(const SourceRef& source, std::uint32_t at, const std::string& reason,
                    Diagnostics& diagnostics);

} // namespace sme::yaml
