// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expr/syntax/text.hpp"

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

} // namespace sme::yaml
