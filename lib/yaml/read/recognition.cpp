// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/recognition.hpp"

#include <algorithm>
#include <fstream>

#include "base/files.hpp"
#include "bits/prefix.hpp"
#include "yaml/read/format.hpp"

namespace sme::yaml {

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

} // namespace sme::yaml
