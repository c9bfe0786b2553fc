// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/diagnostic.hpp"

namespace sme::yaml {

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
