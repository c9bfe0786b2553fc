// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "expr/syntax/text.hpp"

namespace sme::yaml {

/// The text of a file as a YAML parser can take it. What stands in quotes behind `print:` is no
/// YAML when a condition follows, so it is covered by letters, as many as it has bytes. It begins
/// on the line of its key or the next one, and ends on the line it begins on. Maps of fields in
/// plain texts are no YAML either; plain_maps.hpp says which of their bytes are covered.
class TextMask {
public:
    /// `source` must outlive it.
    explicit TextMask(const Source& source);

    std::string_view text() const { return covered_.empty() ? source_ : covered_; }
    /// Puts the bytes that were covered back into a value of the parser.
    void restore(expr::Text& value) const;

private:
    std::string_view source_;
    std::string covered_; // empty: nothing had to be covered
};

} // namespace sme::yaml
