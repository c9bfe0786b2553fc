// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sme::yaml {

/// A YAML document to write: texts, lists and maps in order.
struct Document {
    enum class Kind : std::uint8_t { text, list, map };
    Kind kind = Kind::map;
    std::string text;
    std::vector<Document> items; // for a list
    struct Entry;
    std::vector<Entry> entries; // for a map
    bool raw = false;           // a text to write unchanged, without quoting
    bool flow = false;          // in brackets on one line, if possible

    static Document of(std::string text);
    static Document list(bool flow = false);
    static Document map(bool flow = false);

    bool is_text() const { return kind == Kind::text; }
    bool empty() const;
    bool has(const std::string& key) const;
    void push(Document item);
    void set(std::string key, Document value);
    void set(std::string key, std::string value);
};

struct Document::Entry {
    std::string key;
    Document value;
};

/// Returns a map as a YAML file that `parse_tree` reads as the same texts, lists and maps: block
/// style, two columns a level, lines of at most 100 columns where they can break, quotes only where
/// YAML requires them. Does not check for invalid UTF-8.
std::string write(const Document& map);

} // namespace sme::yaml
