// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
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

/// A JSON value to write: a text, a word (true, 3), a list, or a map in the order of its keys.
class Json {
public:
    static Json text(std::string_view text);
    static Json word(std::string_view word);
    static Json list(std::vector<Json> items = {});
    static Json texts(std::initializer_list<std::string_view> items);
    static Json map() { return Json{Kind::map}; }

    /// Adds an entry to a map; keys must be unique.
    Json& set(std::string_view key, Json value);
    /// Adds an item to a list.
    Json& push(Json item);

    std::size_t size() const { return items_.size() + entries_.size(); }

    /// Returns the value as indented text, without a final newline.
    std::string dump(std::size_t indent = 0) const;

private:
    enum class Kind { word, list, map };
    explicit Json(Kind kind) : kind_{kind} {}

    Kind kind_;
    std::string word_; // written unchanged
    std::vector<Json> items_;
    std::vector<std::pair<std::string, Json>> entries_;
};

} // namespace sme::yaml
