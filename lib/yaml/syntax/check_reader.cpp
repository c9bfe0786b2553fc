// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/check_reader.hpp"

#include <array>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"

namespace sme::yaml {

namespace {

/// The kinds in the order of `format::check`.
constexpr std::array check_kinds{
    expr::Check::Kind::always, expr::Check::Kind::never, expr::Check::Kind::cover,
    expr::Check::Kind::at,     expr::Check::Kind::after, expr::Check::Kind::eventually,
};

void report_check_key(const Node& key, Diagnostics& diagnostics) {
    const std::string& text = key.text.text;
    std::vector<std::string> words;
    for (const Key& word : format::check) {
        words.emplace_back(word.name);
        if (word.argument && (text == word.name || "eventually" == text) &&
            word.name.starts_with(text)) {
            diagnostics.add(
                Code::bad_check, key.where,
                fmt::format("'{}' needs a cycle, as in '{} 8: a == b'", text, word.name));
            return;
        }
    }
    const std::string hint = did_you_mean(text.substr(0, text.find(' ')), words);
    diagnostics.add(Code::bad_check, key.where,
                    fmt::format("'{}' is no check{}", text.substr(0, 60),
                                hint.empty() ? "; write always, never, at n, after n, "
                                               "eventually by n, or cover"
                                             : hint));
}

/// Reads "always" or "at 8"; false after an error was reported.
bool read_check_key(const Node& key, CheckSyntax& check, Diagnostics& diagnostics) {
    const std::string& text = key.text.text;
    for (std::size_t k = 0; k < format::check.size(); ++k) {
        const Key& word = format::check[k];
        if (!text.starts_with(word.name))
            continue;
        check.word = word.name;
        check.kind = check_kinds.at(k);
        if (!word.argument && text.size() == word.name.size())
            return true;
        if (!word.argument || text.size() <= word.name.size() || text[word.name.size()] != ' ')
            continue;
        check.cycle = expr::parse_expression(tail(key.text, word.name.size()), diagnostics);
        return check.cycle != nullptr;
    }
    report_check_key(key, diagnostics);
    return false;
}

/// Returns a text on one line, for reports.
std::string on_one_line(const std::string& text) {
    std::string made;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank)
            made += c;
        else if (!made.empty() && made.back() != ' ')
            made += ' ';
    }
    while (!made.empty() && made.back() == ' ')
        made.pop_back();
    return made;
}

} // namespace

ChecksSyntax read_checks(const Node& section, Diagnostics& diagnostics) {
    ChecksSyntax made;
    made.where = section.where;
    if (!section.is_list())
        wrong_shape(section, "a list of checks, as in '- always: a == b'", diagnostics);
    for (const Node& item : section.items) {
        if (!item.is_map() || item.entries.size() != 1 || !item.entries[0].value.is_text()) {
            wrong_shape(item, "one check, as in '- always: a == b'", diagnostics);
            continue;
        }
        const auto& [key, value] = item.entries[0];
        CheckSyntax check;
        const bool known = read_check_key(key, check, diagnostics);
        auto property = expr::parse_property(value.text, diagnostics);
        if (!known || !property)
            continue;
        check.property = std::move(*property);
        check.text = fmt::format("{}: {}", key.text.text, on_one_line(value.text.text));
        check.key = key.where;
        check.where = value.where;
        made.checks.push_back(std::move(check));
    }
    return made;
}

} // namespace sme::yaml
