// SPDX-License-Identifier: Apache-2.0
#include "yaml/print/document.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace sme::yaml {

Document Document::of(std::string text) {
    Document result;
    result.kind = Kind::text;
    result.text = std::move(text);
    return result;
}

Document Document::list(bool flow) {
    Document result;
    result.kind = Kind::list;
    result.flow = flow;
    return result;
}

Document Document::map(bool flow) {
    Document result;
    result.flow = flow;
    return result;
}

bool Document::empty() const {
    return kind != Kind::text && items.empty() && entries.empty();
}

bool Document::has(const std::string& key) const {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.key == key; });
}

void Document::push(Document item) {
    items.push_back(std::move(item));
}

void Document::set(std::string key, Document value) {
    entries.push_back({std::move(key), std::move(value)});
}

void Document::set(std::string key, std::string value) {
    set(std::move(key), of(std::move(value)));
}

namespace {

constexpr std::size_t max_columns = 100;
constexpr std::size_t max_key = 1000; // YAML allows 1024 characters; a longer key needs a '?'

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Returns true if the character has a meaning in YAML at the start of a text.
bool is_mark(char c) {
    return std::string_view{",[]{}#&*!|>'\"%@`"}.find(c) != std::string_view::npos;
}

/// Returns true if YAML reads the bare text as this text, in block style.
bool is_plain(std::string_view text) {
    static constexpr std::string_view nulls[] = {"null", "Null", "NULL", "~"};
    if (text.empty() || is_mark(text[0]) || text.front() == ' ' || text.back() == ' ' ||
        text.back() == ':' || std::any_of(text.begin(), text.end(), is_control) ||
        std::find(std::begin(nulls), std::end(nulls), text) != std::end(nulls))
        return false;
    const bool indicator = text[0] == '-' || text[0] == '?' || text[0] == ':';
    if (indicator && (text.size() == 1 || text[1] == ' '))
        return false;
    return text.find(": ") == text.npos && text.find(" #") == text.npos &&
           !text.starts_with("---") && !text.starts_with("...");
}

/// Returns true if YAML also reads it as this text in brackets.
bool is_plain_in_flow(std::string_view text) {
    return is_plain(text) && text.find_first_of(",[]{}:?\"'") == text.npos;
}

std::string double_quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (is_control(c))
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            result += c;
    return result + "\"";
}

std::string scalar(std::string_view text) {
    if (is_plain(text))
        return std::string{text};
    if (text.find_first_of("\"\\") == text.npos ||
        std::any_of(text.begin(), text.end(), is_control))
        return double_quoted(text);
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? "''" : std::string{c};
    return result + "'";
}

/// Returns true if a line may break at the space at `at`: before a word or a parenthesis, so
/// operators end lines.
bool can_break(std::string_view text, std::size_t at) {
    if (at == 0 || at + 1 >= text.size() || text[at - 1] == ' ')
        return false;
    const char next = text[at + 1];
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
           (next >= '0' && next <= '9') || next == '_' || next == '(' || next == '~';
}

/// Returns a scalar that begins in a column; the rest continues on lines with that indentation.
std::string folded(std::string_view text, std::size_t column, std::size_t indent) {
    std::string rest = scalar(text);
    if (!is_plain(text))
        return rest;
    std::string result;
    while (column + rest.size() > max_columns) {
        const std::size_t room = max_columns > column ? max_columns - column : 0;
        std::size_t at = std::min(room, rest.size() - 1);
        while (at > 0 && !(rest[at] == ' ' && can_break(rest, at)))
            --at;
        for (std::size_t k = room; at == 0 && k < rest.size(); ++k)
            if (rest[k] == ' ' && can_break(rest, k))
                at = k;
        if (at == 0)
            break;
        result += rest.substr(0, at) + "\n" + std::string(indent, ' ');
        rest.erase(0, at + 1);
        column = indent;
    }
    return result + rest;
}

/// Returns the document in brackets on one line, or empty if that is impossible.
std::string flow(const Document& document) {
    if (document.is_text())
        return is_plain_in_flow(document.text) ? document.text : std::string{};
    const bool list = document.kind == Document::Kind::list;
    std::string result = list ? "[" : "{";
    const auto add = [&](const std::string& key, const Document& value) {
        const std::string text = value.is_text() || value.flow ? flow(value) : std::string{};
        if (text.empty() || (!list && !is_plain_in_flow(key)))
            return false;
        result += (result.size() > 1 ? ", " : "") + (list ? text : key + ": " + text);
        return true;
    };
    for (const Document& item : document.items)
        if (!add({}, item))
            return {};
    for (const auto& [key, value] : document.entries)
        if (!add(key, value))
            return {};
    return result + (list ? "]" : "}");
}

class Writer {
public:
    std::string run(const Document& map) {
        write_map(map, 0);
        return std::move(made_);
    }

private:
    /// Writes a map; the current line ends at the column of the first key.
    void write_map(const Document& map, std::size_t indent) {
        bool first = true;
        for (const auto& [key, value] : map.entries) {
            if (!first)
                made_ += std::string(indent, ' ');
            first = false;
            std::size_t column = indent;
            const std::string written = scalar(key);
            if (written.size() < max_key) {
                made_ += written;
                column += written.size();
            } else {
                made_ +=
                    "? " + folded(key, indent + 2, indent + 4) + "\n" + std::string(indent, ' ');
            }
            made_ += ":";
            write_value(value, column + 1, indent);
        }
    }

    /// Writes a value after a colon in a map with that indentation; ends the line.
    void write_value(const Document& value, std::size_t column, std::size_t indent) {
        if (write_on_line(value, column + 1, indent + 4))
            return;
        made_ += "\n" + std::string(indent + 2, ' ');
        write_block(value, indent + 2);
    }

    void write_block(const Document& value, std::size_t indent) {
        if (value.kind == Document::Kind::map)
            return write_map(value, indent);
        bool first = true;
        for (const Document& item : value.items) {
            if (!first)
                made_ += std::string(indent, ' ');
            first = false;
            made_ += "-";
            if (write_on_line(item, indent + 2, indent + 4))
                continue;
            made_ += " ";
            write_block(item, indent + 2);
        }
    }

    /// Writes a text or a short value; false if it needs a block.
    bool write_on_line(const Document& value, std::size_t column, std::size_t indent) {
        std::string text;
        if (value.raw)
            text = value.text;
        else if (value.is_text())
            text = folded(value.text, column, indent);
        else if (value.empty())
            text = value.kind == Document::Kind::map ? "{}" : "[]";
        else if (value.flow) {
            text = flow(value);
            if (column + text.size() > max_columns)
                text = value.kind == Document::Kind::list ? wrapped(text, column) : "";
        }
        if (!text.empty())
            made_ += " " + text + "\n";
        return !text.empty();
    }

    /// Returns a list in brackets over several lines, aligned with its first item.
    static std::string wrapped(std::string rest, std::size_t column) {
        std::string result;
        const std::size_t room = max_columns - std::min(column + 1, max_columns / 2);
        while (rest.size() > room) {
            const std::size_t comma = rest.rfind(", ", room - 2);
            if (comma == rest.npos)
                break;
            result += rest.substr(0, comma + 1) + "\n" + std::string(column + 1, ' ');
            rest.erase(0, comma + 2);
        }
        return result + rest;
    }

    std::string made_;
};

} // namespace

std::string write(const Document& map) {
    return Writer{}.run(map);
}

namespace {

std::string json_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            result += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            result += c;
    return result + "\"";
}

} // namespace

Json Json::text(std::string_view text) {
    return word(json_text(text));
}

Json Json::word(std::string_view word) {
    Json result{Kind::word};
    result.word_ = word;
    return result;
}

Json Json::list(std::vector<Json> items) {
    Json result{Kind::list};
    result.items_ = std::move(items);
    return result;
}

Json Json::texts(std::initializer_list<std::string_view> items) {
    Json result{Kind::list};
    for (const std::string_view item : items)
        result.push(text(item));
    return result;
}

Json& Json::set(std::string_view key, Json value) {
    entries_.emplace_back(key, std::move(value));
    return *this;
}

Json& Json::push(Json item) {
    items_.push_back(std::move(item));
    return *this;
}

std::string Json::dump(std::size_t indent) const {
    if (kind_ == Kind::word)
        return word_;
    const bool list = kind_ == Kind::list;
    if (size() == 0)
        return list ? "[]" : "{}";
    if (list && std::all_of(items_.begin(), items_.end(),
                            [](const Json& item) { return item.kind_ == Kind::word; })) {
        std::string result;
        for (const Json& item : items_)
            result += (result.empty() ? "" : ", ") + item.word_;
        return "[" + result + "]";
    }
    const std::string margin(indent + 2, ' ');
    std::string result;
    for (const Json& item : items_)
        result += (result.empty() ? "" : ",\n") + margin + item.dump(indent + 2);
    for (const auto& [key, value] : entries_)
        result +=
            (result.empty() ? "" : ",\n") + margin + json_text(key) + ": " + value.dump(indent + 2);
    return (list ? "[\n" : "{\n") + result + "\n" + std::string(indent, ' ') + (list ? "]" : "}");
}

} // namespace sme::yaml
