// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// A YAML document as the language sees it: texts, lists and maps in order, with locations. All
/// scalars are texts, even `on` or `010`.
struct Node {
    enum class Kind : std::uint8_t { null, text, list, map };
    Kind kind = Kind::null;
    Location where;
    expr::Text text;         // for a text
    bool flow = false;       // a list or map in brackets
    std::vector<Node> items; // for a list
    struct Entry;
    std::vector<Entry> entries; // for a map

    bool is_text() const { return kind == Kind::text; }
    bool is_list() const { return kind == Kind::list; }
    bool is_map() const { return kind == Kind::map; }
    /// Returns the value under a key, or null.
    const Node* find(const std::string& key) const;
};

struct Node::Entry {
    Node key;
    Node value;
};

/// A name, or a text that is not an expression.
struct Word {
    std::string text;
    Location where;
};

/// The limits of the loader; larger input is refused, which protects the machine.
struct Limits {
    static constexpr std::size_t file_bytes = std::size_t{16} << 20;
    static constexpr std::size_t data_bytes = std::size_t{256} << 20;
    static constexpr int depth = 64;
    static constexpr std::size_t nodes = 1'000'000;
    static constexpr std::size_t instance_groups = 4096; // limit for one family
    static constexpr std::size_t files_deep = 32;        // nesting of components, and of imports
};

/// Parses one document. Text that YAML would silently misinterpret is refused with a specific
/// message. `nullopt` if the text is unusable.
std::optional<Node> parse_tree(const SourceRef& source, Diagnostics& diagnostics);

} // namespace sme::yaml
