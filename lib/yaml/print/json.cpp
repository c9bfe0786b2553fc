// SPDX-License-Identifier: Apache-2.0
#include "yaml/print/json.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::yaml {

namespace {

std::string json_text(std::string_view text) {
    std::string made = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            made += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            made += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            made += c;
    return made + "\"";
}

} // namespace

Json Json::text(std::string_view text) {
    return word(json_text(text));
}

Json Json::word(std::string_view word) {
    Json made{Kind::word};
    made.word_ = word;
    return made;
}

Json Json::list(std::vector<Json> items) {
    Json made{Kind::list};
    made.items_ = std::move(items);
    return made;
}

Json Json::texts(std::initializer_list<std::string_view> items) {
    Json made{Kind::list};
    for (const std::string_view item : items)
        made.push(text(item));
    return made;
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
        std::string made;
        for (const Json& item : items_)
            made += (made.empty() ? "" : ", ") + item.word_;
        return "[" + made + "]";
    }
    const std::string margin(indent + 2, ' ');
    std::string made;
    for (const Json& item : items_)
        made += (made.empty() ? "" : ",\n") + margin + item.dump(indent + 2);
    for (const auto& [key, value] : entries_)
        made +=
            (made.empty() ? "" : ",\n") + margin + json_text(key) + ": " + value.dump(indent + 2);
    return (list ? "[\n" : "{\n") + made + "\n" + std::string(indent, ' ') + (list ? "]" : "}");
}

} // namespace sme::yaml
