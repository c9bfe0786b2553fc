// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vcd/code_table.hpp"
#include "vcd/cursor.hpp"
#include "vcd/declarations.hpp"

namespace sme::vcd {

/// Parses everything before the values (IEEE 1364-2005, 18.2.3), up to and including
/// $enddefinitions. Returns the error, or `nullopt`.
std::optional<Diagnostic> parse_header(Cursor& cursor, Declarations& declarations,
                                       CodeTable& codes);

} // namespace sme::vcd
