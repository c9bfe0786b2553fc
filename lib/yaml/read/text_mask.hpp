// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "expr/syntax/text.hpp"

namespace sme::yaml {

/// The text of a file with those bytes covered that a YAML parser would misread. The quoted text of
/// a `print:` is not YAML if a condition follows, so each of its bytes is replaced by a letter. It
/// begins on the line of its key or the next one, and ends on the line it begins on. Maps of fields
/// in plain texts are not YAML either; plain_maps.hpp defines which of their bytes are covered.
class TextMask {
public:
    /// `source` must outlive it.
    explicit TextMask(const Source& source);

    std::string_view text() const { return covered_.empty() ? source_ : covered_; }
    /// Restores the covered bytes in a value from the parser.
    void restore(expr::Text& value) const;

private:
    std::string_view source_;
    std::string covered_; // empty: no bytes covered
};

} // namespace sme::yaml
