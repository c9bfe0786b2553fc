// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// The text of a file with those bytes covered that a YAML parser would misread. The quoted text of
/// a `print:` is not YAML if a condition follows, so each of its bytes is replaced by a letter. It
/// begins on the line of its key or the next one, and ends on the line it begins on. Maps of fields
/// in plain texts are not YAML either; plain_maps.hpp defines which of their bytes are covered.
class TextMask {
public:
    /// `source` must outlive it.
    explicit TextMask(const Source& source);

    std::string_view text() const { return covered_.empty() ? source_ : covered_; }
    /// Restores the covered bytes in a value from the parser.
    void restore(expr::Text& value) const;

private:
    std::string_view source_;
    std::string covered_; // empty: no bytes covered
};

inline constexpr std::string_view flow_sentence =
    "YAML cuts expressions with brackets, commas or colons in flow style ({...} or [...]) apart; "
    "use block style, one line for each entry, or quotes, as in {y: \"x[0]\"}";
inline constexpr std::string_view alias_sentence =
    "anchors (&x) and aliases (*x) are not part of the language; an expression does not begin with "
    "'&' or '*'";
inline constexpr std::string_view tag_sentence =
    "tags (!x) are not part of the language; 'not' negates a bool";

/// Checks the raw bytes before the YAML parser sees them: invalid characters, more than one
/// document, brackets nested too deeply. False if the parser must not see the text. `covered` is
/// the text for the parser, with the same byte positions as the source.
bool prescan(const SourceRef& source, std::string_view covered, Diagnostics& diagnostics);

/// Explains why the parser failed at a line, in terms of the language if the reason is known.
void explain_syntax(const SourceRef& source, std::uint32_t line, std::uint32_t column,
                    const std::string& reason, Diagnostics& diagnostics);

} // namespace sme::yaml
