// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "bits/scalar_text.hpp"
#include "expr/syntax/lexer.hpp"
#include "yaml/read/format.hpp"
#include "yaml/read/prescan.hpp"

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
    if (node.is_text() && node.text.text.starts_with('{')) {
        diagnostics.add(Code::yaml_flow, node.where, std::string{flow_sentence});
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
    if (expr::is_reserved(text)) {
        expr::report_reserved(text, what, node.where, diagnostics);
        return false;
    }
    if (expr::is_identifier(text))
        return true;
    const bool is_ascii = std::all_of(text.begin(), text.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    diagnostics.add(Code::bad_name, node.where,
                    fmt::format("{} consists of {}letters, digits and '_', but this is '{}'", what,
                                is_ascii ? "" : "ASCII ", text.substr(0, 60)));
    return false;
}

namespace {

constexpr std::size_t begin_bytes = 1 << 16; // maximum number of inspected bytes
constexpr std::string_view spaces = " \t\r";

/// Calls `use` with each line that is neither empty nor a comment.
template <class Use> void for_each_line(std::string_view text, Use use) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size()));
        if (!line.empty() && !line.starts_with('#'))
            use(line);
    }
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Returns true for numbers, names and column names.
bool is_cell(std::string_view cell) {
    const std::size_t first = cell.find_first_not_of(spaces);
    if (first == std::string_view::npos)
        return false;
    cell = cell.substr(first, cell.find_last_not_of(spaces) - first + 1);
    if (cell.starts_with('"') || cell.ends_with('"')) // part of a name with a comma: "a[1, 2]"
        cell = cell.starts_with('"') ? cell.substr(1) : cell.substr(0, cell.size() - 1);
    if (cell.starts_with('-'))
        cell.remove_prefix(1);
    return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') ||
               std::string_view{".[]"}.find(c) != std::string_view::npos;
    });
}

bool is_hex_word(std::string_view word) {
    if (has_prefix(word, 'x'))
        word.remove_prefix(2);
    return word.find_first_not_of("0123456789abcdefABCDEF_") == std::string_view::npos;
}

} // namespace

bool is_network_text(std::string_view text) {
    bool any = false, found = false;
    if (text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    for_each_line(text, [&](std::string_view line) {
        any = true;
        line.remove_prefix(std::min(line.find_first_not_of("{\"' \t"), line.size()));
        const auto names = [&](const Key& key) {
            if (!line.starts_with(key.name))
                return false;
            std::string_view rest = line.substr(key.name.size());
            rest.remove_prefix(std::min(rest.find_first_not_of("\"' \t"), rest.size()));
            return rest.starts_with(':');
        };
        for (const auto keys : {format::network, format::component, format::library})
            found = found || std::any_of(keys.begin(), keys.end(), names);
    });
    return found || !any;
}

bool is_rows_text(std::string_view text) {
    std::size_t good = 0, bad = 0;
    for_each_line(text.substr(0, begin_bytes), [&](std::string_view line) {
        for (;;) {
            const std::size_t comma = line.find(',');
            ++(is_cell(line.substr(0, comma)) ? good : bad);
            if (comma == std::string_view::npos)
                return;
            line.remove_prefix(comma + 1);
        }
    });
    return good >= bad;
}

bool is_words_text(std::string_view text) {
    std::size_t good = 0, bad = 0;
    for_each_line(text.substr(0, begin_bytes), [&](std::string_view line) {
        line = line.substr(0, std::min(line.find("//"), line.find('#')));
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size()));
            if (line.empty())
                return;
            const std::size_t end = std::min(line.find_first_of(spaces), line.size());
            ++(is_hex_word(line.substr(0, end)) ? good : bad);
            line.remove_prefix(end);
        }
    });
    return good >= bad;
}

bool is_changes_file(const char* path) {
    std::ifstream file{path, std::ios::binary};
    if (file.peek() == 0) { // the header of an FST file, 329 bytes long
        constexpr std::string_view expected{"\0\0\0\0\0\0\0\1\x49", 9};
        std::string begin(expected.size(), ' ');
        file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
        return begin == expected;
    }
    char first = '$';
    file >> first;
    // a byte-order mark, or an FST file that is compressed as a whole
    return first == '$' || first == '\xef' || first == '\xff' || first == '\xfe';
}

bool is_fst_file(const std::string& path) {
    std::error_code error;
    if ((!path.ends_with(".vcd") && !path.ends_with(".fst")) ||
        !std::filesystem::is_regular_file(path, error)) // opening a pipe would block
        return false;
    std::ifstream file{path, std::ios::binary};
    const int first = file.get(), second = file.get();
    return first == 0 || (first == 0xfe && second != 0xff); // otherwise it is UTF-16
}

} // namespace sme::yaml
