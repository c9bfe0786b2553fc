// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace sme::expr {

/// The text of one expression with the source position of each byte: YAML folds lines and strips
/// indentation, but diagnostics point to the original text.
struct Text {
    SourceRef source;
    std::string text;
    std::vector<std::uint32_t> offsets; // one more than the number of text bytes

    /// Returns the location of bytes [begin, end) of the text.
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
