// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/foreign_words.hpp"

#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace sme::expr {

namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array foreign_symbols{
    Entry{"&&", "'and'"}, Entry{"||", "'or'"},
    Entry{"!", "'not'"},  Entry{"?", "'if a then b else c'"},
    Entry{"=", "'=='"},
};

constexpr std::array operators{
    Entry{"xor", "'^'"},
    Entry{"mod", "'%'"},
    Entry{"rem", "'%'"},
    Entry{"div", "'/'"},
    Entry{"shl", "'<<'"},
    Entry{"sll", "'<<'"},
    Entry{"shr", "'>>'"},
    Entry{"srl", "'>>'"},
    Entry{"sra", "'>>'"},
    Entry{"nand", "'not (a and b)', or '~(a & b)' for bits,"},
    Entry{"nor", "'not (a or b)', or '~(a | b)' for bits,"},
    Entry{"xnor", "'==', or '~(a ^ b)' for bits,"},
    Entry{"is", "'=='"},
    Entry{"if", "'a when c', or 'if c then a else b',"},
    Entry{"unless", "'a when not c', or 'if c then b else a',"},
};

constexpr std::array characters{
    Entry{"\u00d7", "'*'"},       Entry{"\u00b7", "'*'"},   Entry{"\u00f7", "'/'"},
    Entry{"\u2264", "'<='"},      Entry{"\u2265", "'>='"},  Entry{"\u2260", "'!='"},
    Entry{"\u2212", "'-'"},       Entry{"\u2013", "'-'"},   Entry{"\u2227", "'and'"},
    Entry{"\u2228", "'or'"},      Entry{"\u00ac", "'not'"}, Entry{"\u2295", "'^'"},
    Entry{"\u21d2", "'implies'"},
};

std::string_view find(std::span<const Entry> entries, std::string_view word) {
    for (const auto& [foreign, ours] : entries)
        if (foreign == word)
            return ours;
    return {};
}

} // namespace

const std::string_view join_form = "a field of a map has a value, as in {a: 1}; bits are joined as "
                                   "in cat(a, u1(1)), where numbers have types";

const std::string_view loop_form =
    "with a range, as in 'y[k < n]: a[k] + 1', 'sum(k < n, a[k])' or 'fold(k < n, acc = 0, ...)',";

std::string_view foreign_symbol(std::string_view symbol) {
    return find(foreign_symbols, symbol);
}

void for_each_foreign_symbol(const std::function<void(std::string_view)>& visit) {
    for (const Entry& entry : foreign_symbols)
        visit(entry.first);
}

std::string_view foreign_operator(std::string_view word) {
    return find(operators, word);
}

std::string_view foreign_character(std::string_view character) {
    return find(characters, character);
}

bool is_loop_word(std::string_view word) {
    return word == "for" || word == "foreach" || word == "while";
}

std::string foreign_key(std::string_view key) {
    const std::string_view first = key.substr(0, key.find_first_of(" (:"));
    if (first == key)
        return {};
    if (key.starts_with("else if"))
        return "'else if' is written 'elif' here";
    if (first == "elsif" || first == "elseif")
        return fmt::format("'{}' is written 'elif' here", first);
    if (first == "case" || first == "switch")
        return fmt::format("'{}' is written 'match e' here", first);
    if (is_loop_word(first))
        return fmt::format("'{}' is written {} here", first, loop_form);
    if (key.find('[') == key.npos && key.find("<=") != key.npos)
        return "a step assigns with a colon alone; write 'y: a'";
    return {};
}

std::string foreign_assignment(std::string_view line) {
    std::size_t at = line.find('=');
    if (at == line.npos || at == 0 || line.substr(0, 40).find("if") == 0 ||
        line.substr(at).starts_with("=="))
        return {};
    std::size_t end = at;
    if (line[at - 1] == '<' || line[at - 1] == ':')
        --end;
    while (end > 0 && line[end - 1] == ' ')
        --end;
    ++at;
    while (at < line.size() && line[at] == ' ')
        ++at;
    const std::string_view target = line.substr(0, end), value = line.substr(at);
    if (target.empty() || value.empty() || target.find_first_of(" !<>") != target.npos ||
        line.size() > 60)
        return "; an assignment is written 'y: a'";
    return fmt::format("; an assignment is written '{}: {}'", target,
                       value.ends_with(';') ? value.substr(0, value.size() - 1) : value);
}

} // namespace sme::expr
