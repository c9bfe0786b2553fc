// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sme::yaml {

/// What is to be written as YAML: texts, lists and maps in their order.
struct Document {
    enum class Kind : std::uint8_t { text, list, map };
    Kind kind = Kind::map;
    std::string text;
    std::vector<Document> items; // of a list
    struct Entry;
    std::vector<Entry> entries; // of a map
    bool raw = false;           // a text that is written as it is: its reader knows how to take it
    bool flow = false;          // in brackets on one line, where all of it can stand there

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

/// A map as a YAML file that `parse_tree` reads as the same texts, lists and maps: block style, two
/// columns a level, lines of at most 100 columns where they can be broken, quotes only where YAML
/// needs them. Bytes that are no UTF-8 are not looked at.
std::string write(const Document& map);

} // namespace sme::yaml
