// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "yaml/read/format.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

/// Reports unknown keys, each with the nearest known one; false if there are any.
bool check_keys(const Node& map, std::span<const Key> known, std::string_view section,
                Diagnostics& diagnostics);

/// Reports a node of the wrong shape; `wanted` is "a map of ...".
void wrong_shape(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Returns true if the node is a map; otherwise reports it. Null counts as an empty map.
bool is_map_or_empty(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Calls read(key, value) for each entry of a section, if present; reports and skips a section that
/// is not a map.
template <class Read>
void each_entry(const Node& root, const std::string& section, std::string_view wanted,
                Diagnostics& diagnostics, Read read) {
    if (const Node* node = root.find(section); node && is_map_or_empty(*node, wanted, diagnostics))
        for (const auto& [key, value] : node->entries)
            read(key, value);
}
/// Returns true if a text is a name; otherwise reports it.
bool is_name(const Node& node, std::string_view what, Diagnostics& diagnostics);

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
