// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::yaml {

// Tests whether a file has the expected kind of contents. Any other file, such as a private key or
// a password file that a network imports, is refused as a whole, and no diagnostic shows a line of
// it.

/// Recognises a network, a component or a library: a line begins with the name of a section.
bool is_network_text(std::string_view text);

/// Recognises rows of a .csv: at least half of the cells are numbers or names.
bool is_rows_text(std::string_view text);

/// Recognises words of a .hex: at least half of them are hexadecimal.
bool is_words_text(std::string_view text);

/// Recognises value changes: the file begins with a declaration, "$...", or with an FST header.
bool is_changes_file(const char* path);

} // namespace sme::yaml
