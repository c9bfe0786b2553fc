// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/syntax/step.hpp"
#include "yaml/read/format.hpp"

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

/// The limits of the loader; larger input is refused, which protects the machine. The user may move
/// those of size and of work (LoadOptions::size).
struct Limits {
    static constexpr std::size_t file_bytes = std::size_t{16} << 20;
    static constexpr std::size_t data_bytes = std::size_t{256} << 20;
    static constexpr int depth = 64;
    static constexpr std::size_t nodes = 1'000'000;
    static constexpr std::size_t instance_groups = 4096; // limit for one family
    static constexpr std::size_t files_deep = 32;        // nesting of components, and of imports
};

/// Parses one document. Text that YAML would silently misinterpret is refused with a specific
/// message. `nullopt` if the text is unusable. `size` multiplies the number of nodes allowed.
/// `unquoted` receives the texts that other YAML parsers read only in quotes.
std::optional<Node> parse_tree(const SourceRef& source, Diagnostics& diagnostics,
                               std::uint64_t size = 1, std::vector<Location>* unquoted = nullptr);

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

/// Recognises a file that is read as value changes by another program: a .vcd or .fst file with an
/// FST header, or compressed as a whole.
bool is_fst_file(const std::string& path);

} // namespace sme::yaml
