// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sme::cli {

/// The number of characters in a line of standard output: COLUMNS, else the width of the terminal,
/// else 80.
std::size_t output_columns();

/// The number of lines of the terminal on standard output; 24 if it is not a terminal.
std::size_t output_lines();

/// True if standard output takes characters beyond ASCII: a terminal with a UTF-8 locale, and
/// everything that is not a terminal, so that files do not depend on the locale.
bool output_takes_unicode();

} // namespace sme::cli
