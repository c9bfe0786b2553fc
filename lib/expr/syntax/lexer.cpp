// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/lexer.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/scalar_text.hpp"
#include "expr/syntax/ast.hpp"

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

namespace {

constexpr std::array<std::string_view, 20> reserved{
    "if",   "then",   "elif",  "else",    "match", "when", "and",   "or",
    "not",  "true",   "false", "implies", // of expressions
    "halt", "assert", "print", "wire",    "delay", "hold", "error", "back"};
constexpr std::ptrdiff_t of_expressions = 12; // the first of them

/// All symbols except operators.
constexpr std::array<std::string_view, 9> symbols{"(", ")", "[", "]", "{", "}", ",", ":", "."};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t word_end(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at])))
        ++at;
    return at;
}

/// All symbols, of other languages too, by their first character.
using SymbolTable = std::array<std::vector<std::string_view>, 128>;
SymbolTable all_symbols() {
    SymbolTable result;
    const auto add = [&](std::string_view symbol) {
        if (const auto first = static_cast<unsigned char>(symbol[0]); first < result.size())
            result[first].push_back(symbol);
    };
    for (const std::string_view symbol : symbols)
        add(symbol);
    for (const OperatorRow& row : operator_rows)
        add(row.symbol);
    for_each_foreign_symbol(add);
    return result;
}

/// Returns the length of the longest symbol at the start; 0 if there is no symbol.
std::size_t symbol_length(std::string_view rest) {
    static const SymbolTable known = all_symbols();
    std::size_t longest = 0;
    if (const auto first = static_cast<unsigned char>(rest[0]); first < known.size())
        for (const std::string_view symbol : known[first])
            if (rest.starts_with(symbol))
                longest = std::max(longest, symbol.size());
    return longest;
}

/// Returns true after "file(": a path follows.
bool begins_path(const std::vector<Token>& tokens) {
    const std::size_t count = tokens.size();
    return count >= 2 && tokens[count - 1].text == "(" && tokens[count - 2].text == "file";
}

/// Returns the end of the path that begins here: before the closing parenthesis and the spaces in
/// front of it; `at` if unclosed.
std::size_t path_end(std::string_view text, std::size_t at) {
    const std::size_t begin = at;
    for (int depth = 0; at < text.size() && (depth > 0 || text[at] != ')'); ++at)
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (at >= text.size())
        return begin;
    while (at > begin && is_space(text[at - 1]))
        --at;
    return at;
}

/// Returns the end of the UTF-8 character that begins here.
std::size_t character_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        ++end;
    return end;
}

/// Describes a character that is not part of the language.
std::string describe_stranger(std::string_view text, std::size_t at, std::size_t end) {
    const std::string_view shown = text.substr(at, end - at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7f)
        return "this character is no part of an expression";
    if (const std::string_view ours = foreign_character(shown); !ours.empty())
        return fmt::format("'{}' is written {} here", shown, ours);
    const bool joined =
        (at > 0 && is_letter(text[at - 1])) || (end < text.size() && is_letter(text[end]));
    if (byte >= 0x80 && joined)
        return fmt::format("'{}' is no part of a name; names consist of the letters a to z and A "
                           "to Z, digits and '_'",
                           shown);
    return fmt::format("'{}' is no part of an expression", shown);
}

} // namespace

bool is_reserved(std::string_view word) {
    return std::any_of(reserved.begin(), reserved.end(),
                       [&](std::string_view each) { return is_same(each, word); });
}

void report_reserved(std::string_view word, std::string_view what, const Location& where,
                     Diagnostics& diagnostics) {
    diagnostics.add_once(
        fmt::format("reserved {}", word), Code::bad_name, where,
        fmt::format("'{}' is a word of the language and cannot be {}", word, what));
}

bool report_reserved_value(std::string_view word, const Location& where, Diagnostics& diagnostics) {
    const auto found = std::find(reserved.begin(), reserved.end(), word);
    const bool names = found != reserved.end() && found - reserved.begin() >= of_expressions;
    if (names || diagnostics.was_added(fmt::format("reserved {}", word), where))
        report_reserved(word, "a name", where, diagnostics);
    else
        return false;
    return true;
}

bool is_identifier(std::string_view word) {
    return !word.empty() && is_letter(word[0]) && word_end(word, 0) == word.size();
}

std::vector<Token> tokenize(const Text& text, Diagnostics& diagnostics) {
    const std::string_view all = text.text;
    std::vector<Token> tokens;
    tokens.reserve(all.size() / 2 + 2); // most are separated by a space
    bool reported = false;
    for (std::size_t at = 0; at < all.size();) {
        std::size_t end = at + 1;
        Token::Kind kind = Token::Kind::end;
        if (is_space(all[at])) {
        } else if (begins_path(tokens) && path_end(all, at) > at) {
            kind = Token::Kind::path;
            end = path_end(all, at);
        } else if (all[at] == '#') {
            end = std::min(all.find('\n', at), all.size());
        } else if (is_letter(all[at])) {
            kind = Token::Kind::name;
            end = word_end(all, at);
        } else if (is_digit(all[at])) {
            kind = Token::Kind::number;
            end = word_end(all, at);
            if (end + 1 < all.size() && all[end] == '.' && is_digit(all[end + 1])) // 0.75
                end = word_end(all, end + 1);
            if (has_prefix(all.substr(at), 'b')) // 0b1??0, a pattern
                while (end < all.size() && (all[end] == '?' || word_end(all, end) > end))
                    end = all[end] == '?' ? end + 1 : word_end(all, end);
        } else if (const std::size_t length = symbol_length(all.substr(at))) {
            kind = Token::Kind::symbol;
            end = at + length;
        } else if (!reported) {
            reported = true;
            end = character_end(all, at);
            const bool verilog =
                all[at] == '\'' && !tokens.empty() && tokens.back().kind == Token::Kind::number;
            diagnostics.add(Code::expression_syntax, text.at(at, end),
                            verilog ? fmt::format("numbers are written 0xff or 0b1010, with a type "
                                                  "as in u{}(0xff)",
                                                  tokens.back().text)
                                    : describe_stranger(all, at, end));
        }
        if (kind != Token::Kind::end)
            tokens.push_back({kind, all.substr(at, end - at), at, end});
        at = end;
    }
    tokens.push_back({Token::Kind::end, {}, all.size(), all.size()});
    return tokens;
}

} // namespace sme::expr
