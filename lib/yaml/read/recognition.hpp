// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme::yaml {

// Whether a file is what it is named for. One that is not, such as a file of keys or of passwords
// that a network imports, is refused as a whole, and no diagnostic shows a line of it.

/// A network, a component or a library: a line begins with the name of a section.
bool is_network_text(std::string_view text);

/// Rows of a .csv: at least half of the cells are numbers or names.
bool is_rows_text(std::string_view text);

/// Words of a .hex: at least half of them are hexadecimal.
bool is_words_text(std::string_view text);

/// Value changes: the file begins with a declaration, "$...", or as an FST file does.
bool is_changes_file(const char* path);

} // namespace sme::yaml
