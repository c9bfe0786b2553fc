// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace sme::expr {

/// The text of one expression and, for each of its bytes, the byte of the source it came from:
/// YAML folds lines and strips indentation, but a diagnostic points at what the user wrote.
struct Text {
    SourceRef source;
    std::string text;
    std::vector<std::uint32_t> offsets; // one more than text has bytes

    /// Where bytes [begin, end) of the text stand.
    Location at(std::size_t begin, std::size_t end) const {
        Location where;
        where.source = source;
        where.begin = offsets[begin];
        where.end = end > begin ? offsets[end - 1] + 1 : where.begin;
        return where;
    }
    Location all() const { return at(0, text.size()); }
};

} // namespace sme::expr
