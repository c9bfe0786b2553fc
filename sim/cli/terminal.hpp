// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sme::cli {

/// How many characters a line of standard output has: what COLUMNS says, else the width of the
/// terminal, else 80.
std::size_t output_columns();

/// How many lines the terminal has that standard output is; 24 when it is none.
std::size_t output_lines();

/// Whether standard output takes characters beyond ASCII: a terminal whose locale is UTF-8, and
/// everything that is no terminal, so that files do not depend on the locale.
bool output_takes_unicode();

} // namespace sme::cli
