// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/lexer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/prefix.hpp"
#include "expr/syntax/foreign_words.hpp"
#include "expr/syntax/operator.hpp"

namespace sme::expr {

namespace {

constexpr std::array reserved{"if",   "then",  "elif", "else",  "match",   "when",   "and",
                              "or",   "not",   "true", "false", "halt",    "assert", "print",
                              "wire", "delay", "hold", "error", "implies", "back"};

/// All symbols except operators.
constexpr std::array symbols{"(", ")", "[", "]", "{", "}", ",", ":", "."};

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

/// Returns the length of the longest symbol at the start; 0 if there is no symbol.
std::size_t symbol_length(std::string_view rest) {
    std::size_t longest = 0;
    const auto look = [&](std::string_view symbol) {
        if (rest.starts_with(symbol))
            longest = std::max(longest, symbol.size());
    };
    for (const std::string_view symbol : symbols)
        look(symbol);
    for (const OperatorRow& row : operator_rows)
        look(row.symbol);
    for_each_foreign_symbol(look);
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
        return fmt::format("'{}' is no part of a name; names are made of the letters a to z and A "
                           "to Z, digits and '_'",
                           shown);
    return fmt::format("'{}' is no part of an expression", shown);
}

} // namespace

bool is_reserved(std::string_view word) {
    return std::find(reserved.begin(), reserved.end(), word) != reserved.end();
}

bool is_identifier(std::string_view word) {
    return !word.empty() && is_letter(word[0]) && word_end(word, 0) == word.size();
}

std::vector<Token> tokenize(const Text& text, Diagnostics& diagnostics) {
    const std::string_view all = text.text;
    std::vector<Token> tokens;
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
