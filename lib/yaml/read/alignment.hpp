// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expr/syntax/text.hpp"

namespace sme::yaml {

struct Aligned {
    expr::Text text;
    std::size_t end = 0; // the first raw byte behind it; of a quoted one: where its quote should be
};

/// Finds for each byte of a scalar the raw byte it came from. Folding and indentation only ever
/// drop or join blanks; quotes have escapes. `begin` is where the scalar begins: its quote, its '|'
/// or
/// '>', or its first byte. `raw` is the text as the parser saw it, byte for byte beside the source.
Aligned align(const SourceRef& source, std::string_view raw, std::size_t begin,
              const std::string& value);

} // namespace sme::yaml
