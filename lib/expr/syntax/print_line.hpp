// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"
#include "expr/syntax/text.hpp"

namespace sme::expr {

/// What follows `print:`: pieces and a condition.
struct PrintText {
    std::vector<PrintPiece> pieces;
    AstRef when; // null: always
};

/// Reads `"at {cycle}: {x:02x}" when condition`, whole. Reports what is wrong, and then gives
/// nothing.
std::optional<PrintText> parse_print(const Text& text, Diagnostics& diagnostics);

/// The line that a print makes of its values: of each piece all scalars of its type, canonical and
/// sign-extended.
std::string line_of(const PrintLine& line, const std::uint64_t* values);

/// What `style` cannot write of a type, as a sentence; empty when it can.
std::string style_problem(const PrintStyle& style, const Type& type);

} // namespace sme::expr
