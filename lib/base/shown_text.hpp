// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sme {

/// A text for a terminal: control characters other than line feed and tab, and bytes that are not
/// UTF-8, are written as "\\x1b". Names of files and of what they hold may have any.
std::string shown_text(std::string_view text);

} // namespace sme
