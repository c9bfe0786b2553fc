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

/// Reports keys that are none of the known ones, with the nearest; false when there were any.
bool check_keys(const Node& map, std::span<const Key> known, std::string_view section,
                Diagnostics& diagnostics);

/// Reports a node of the wrong shape; `wanted` is "a map of ...".
void wrong_shape(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Whether the node is a map; reports it otherwise. A null is taken for an empty map.
bool is_map_or_empty(const Node& node, std::string_view wanted, Diagnostics& diagnostics);

/// Calls read(key, value) for each entry of a section, where there is one; reports one that is no
/// map, which is not read.
template <class Read>
void each_entry(const Node& root, const std::string& section, std::string_view wanted,
                Diagnostics& diagnostics, Read read) {
    if (const Node* node = root.find(section); node && is_map_or_empty(*node, wanted, diagnostics))
        for (const auto& [key, value] : node->entries)
            read(key, value);
}
/// A text that is a name, or nothing; reports what is none.
bool is_name(const Node& node, std::string_view what, Diagnostics& diagnostics);

} // namespace sme::yaml
