// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/keys.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/lexer.hpp"

namespace sme::yaml {

bool check_keys(const Node& map, std::span<const Key> known, std::string_view section,
                Diagnostics& diagnostics) {
    bool fine = true;
    for (const auto& [key, value] : map.entries) {
        const std::string& name = key.text.text;
        if (std::any_of(known.begin(), known.end(),
                        [&](const Key& each) { return each.name == name; }))
            continue;
        std::vector<std::string> names;
        std::string list;
        for (const Key& each : known) {
            names.emplace_back(each.name);
            list += fmt::format("{}{}", list.empty() ? "" : ", ", each.name);
        }
        const std::string hint = did_you_mean(name, names);
        diagnostics.add(Code::unknown_key, key.where,
                        fmt::format("{} has no key '{}'{}", section, name.substr(0, 60),
                                    hint.empty() ? "; there are " + list : hint));
        fine = false;
    }
    return fine;
}

void wrong_shape(const Node& node, std::string_view wanted, Diagnostics& diagnostics) {
    if (node.kind == Node::Kind::null) {
        diagnostics.add(Code::yaml_null, node.where,
                        fmt::format("nothing follows, but {} belongs here", wanted));
        return;
    }
    const std::string_view found = node.is_text() ? "a text" : node.is_list() ? "a list" : "a map";
    const std::string& text = node.text.text;
    const std::size_t colon = text.find(':');
    const bool glued = node.is_text() && colon != std::string::npos && colon + 1 < text.size() &&
                       expr::is_identifier(text.substr(0, colon));
    diagnostics.add(Code::wrong_shape, node.where,
                    fmt::format("this is {}, but {} belongs here{}", found, wanted,
                                glued ? "; a space follows the colon of a key" : ""));
}

bool is_map_or_empty(const Node& node, std::string_view wanted, Diagnostics& diagnostics) {
    if (node.is_map() || node.kind == Node::Kind::null)
        return true;
    wrong_shape(node, wanted, diagnostics);
    return false;
}

bool is_name(const Node& node, std::string_view what, Diagnostics& diagnostics) {
    if (!node.is_text()) {
        wrong_shape(node, what, diagnostics);
        return false;
    }
    const std::string& text = node.text.text;
    if (expr::is_identifier(text) && !expr::is_reserved(text))
        return true;
    const bool is_ascii = std::all_of(text.begin(), text.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    diagnostics.add(Code::bad_name, node.where,
                    expr::is_reserved(text)
                        ? fmt::format("'{}' is a word of the language and cannot be {}", text, what)
                        : fmt::format("{} is made of {}letters, digits and '_', but this is '{}'",
                                      what, is_ascii ? "" : "ASCII ", text.substr(0, 60)));
    return false;
}

} // namespace sme::yaml
