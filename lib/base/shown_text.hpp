// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sme {

/// Makes a text safe for a terminal: control characters other than line feed and tab, and bytes
/// that are not UTF-8, become escapes such as "\\x1b". File names and file contents may contain any
/// bytes.
std::string shown_text(std::string_view text);

} // namespace sme
