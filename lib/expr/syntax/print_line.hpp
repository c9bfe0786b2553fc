// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// The text after `print:`: pieces and a condition.
struct PrintText {
    std::vector<PrintPiece> pieces;
    AstRef when; // null: always
};

/// Parses the whole of `"at {cycle}: {x:02x}" when condition`. On error, reports it and returns
/// `nullopt`.
std::optional<PrintText> parse_print(const Text& text, Diagnostics& diagnostics);

/// Formats a printed line. `values` holds all scalars of each piece, canonical and sign-extended.
std::string line_of(const PrintLine& line, const std::uint64_t* values);

/// Returns a sentence that tells why `style` cannot print a type; empty if it can.
std::string style_problem(const PrintStyle& style, const Type& type);

} // namespace sme::expr
