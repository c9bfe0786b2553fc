// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/print_line.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/decimal.hpp"
#include "bits/integer.hpp"
#include "bits/scalar_text.hpp"
#include "expr/syntax/lexer.hpp"
#include "expr/syntax/parser.hpp"

namespace sme::expr {

namespace {

using Base = PrintStyle::Base;

std::string binary(const std::uint64_t* words, unsigned width_bits) {
    std::string digits;
    for (unsigned k = width_bits; k-- > 0;)
        digits += (words[k / 64] >> k % 64 & 1) != 0 ? '1' : '0';
    return digits;
}

std::string without_leading_zeros(const std::string& digits) {
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string::npos ? "0" : digits.substr(first);
}

/// Returns a byte as a character; nonprintable bytes as numbers.
std::string character(std::uint64_t byte) {
    const bool plain = (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
    return plain ? std::string(1, static_cast<char>(byte)) : fmt::format("\\x{:02x}", byte);
}

std::string digits_of(const PrintStyle& style, const Type& type, const std::uint64_t* words) {
    const auto width = static_cast<unsigned>(type.width_bits());
    switch (style.base) {
    case Base::character: return character(*words & 0xff);
    case Base::hexadecimal:
        if (!type.is_wide())
            return fmt::format("{:x}", *words & (~std::uint64_t{0} >> (64 - width)));
        return without_leading_zeros(hexadecimal({words, words + type.leaf_count()}, width)
                                         .substr(std::string_view{"0x"}.size()));
    case Base::binary: return without_leading_zeros(binary(words, width));
    case Base::decimal:
        return type.is_fixed() ? fixed_text(type, words) : integer_text(type, words);
    case Base::natural: break;
    }
    return scalar_text(type, words);
}

std::string padded(const PrintStyle& style, std::string text) {
    if (text.size() >= style.width)
        return text;
    const bool negative = style.zeros && text.starts_with('-');
    text.insert(negative ? 1 : 0, style.width - text.size(), style.zeros ? '0' : ' ');
    return text;
}

/// Appends a value and advances to the next one.
void add(const PrintStyle& style, const Type& type, const std::uint64_t*& next, std::string& line) {
    if (type.is_scalar()) {
        line += padded(style, digits_of(style, type, next));
        next += type.leaf_count();
        return;
    }
    const bool is_struct = type.kind() == TypeKind::structure;
    line += is_struct ? '{' : '[';
    bool first = true;
    const auto member = [&](const std::string& name, const Type& each) {
        line += first ? "" : ", ";
        line += name;
        first = false;
        add(style, each, next, line);
    };
    if (is_struct)
        for (const Field& field : type.fields())
            member(field.name + ": ", *field.type);
    else
        for (std::uint64_t k = 0; k < type.count(); ++k)
            member("", *type.element());
    line += is_struct ? '}' : ']';
}

const Type* scalar_with(const Type& type, bool (*wanted)(const Type&)) {
    if (type.is_scalar())
        return wanted(type) ? &type : nullptr;
    if (type.kind() == TypeKind::array)
        return scalar_with(*type.element(), wanted);
    for (const Field& field : type.fields())
        if (const Type* found = scalar_with(*field.type, wanted))
            return found;
    return nullptr;
}

} // namespace

std::string line_of(const PrintLine& line, const std::uint64_t* values) {
    std::string result;
    for (const PrintLine::Piece& piece : line.pieces)
        if (piece.type)
            add(piece.style, *piece.type, values, result);
        else
            result += piece.text;
    return result;
}

std::string style_problem(const PrintStyle& style, const Type& type) {
    if (style.base == Base::character)
        if (const Type* other = scalar_with(type, [](const Type& each) {
                return !each.is_integer() || each.is_signed() || each.width_bits() > 8;
            }))
            return fmt::format("style c writes characters of u8 or less, but this is {}",
                               other->name());
    return {};
}

// "text {expression:style} text" [when condition]

namespace {

Text part(const Text& text, std::size_t begin, std::size_t end) {
    return {text.source,
            text.text.substr(begin, end - begin),
            {text.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
             text.offsets.begin() + static_cast<std::ptrdiff_t>(end) + 1}};
}

class PrintParser {
public:
    PrintParser(const Text& text, Diagnostics& diagnostics)
        : text_{text}, diagnostics_{diagnostics} {}

    std::optional<PrintText> run() {
        at_ = skip_blanks(0);
        if (here() != '"') {
            fail(at_, "a print begins with its text in double quotes, as in \"x is {x}\"; write it "
                      "in block style, on a line of its own");
            return std::nullopt;
        }
        ++at_;
        while (ok_ && here() != '"')
            step();
        if (!ok_)
            return std::nullopt;
        ++at_;
        flush();
        read_when();
        if (!ok_)
            return std::nullopt;
        return std::move(made_);
    }

private:
    char here(std::size_t ahead = 0) const {
        return at_ + ahead < text_.text.size() ? text_.text[at_ + ahead] : '\0';
    }
    std::size_t skip_blanks(std::size_t at) const {
        return std::min(text_.text.find_first_not_of(" \t\n", at), text_.text.size());
    }
    void fail(std::size_t at, std::string message) {
        ok_ = false;
        const std::size_t begin = std::min(at, text_.text.size());
        diagnostics_.add(Code::print_syntax,
                         text_.at(begin, std::min(begin + 1, text_.text.size())),
                         std::move(message));
    }

    void flush() {
        if (!literal_.empty())
            made_.pieces.push_back({std::move(literal_), nullptr, {}});
        literal_.clear();
    }

    /// Parses the next character of the text, or the next value.
    void step() {
        const char c = here();
        if (at_ >= text_.text.size())
            return fail(text_.text.size(), "the text has no closing quote");
        if (c == '\\')
            return escape();
        if (c == '{' && here(1) != '{')
            return value();
        if (c == '}' && here(1) != '}')
            return fail(at_, "'}' has no '{'; write '}}' for the character itself");
        literal_ += c;
        at_ += c == '{' || c == '}' ? 2 : 1;
    }

    void escape() {
        switch (here(1)) {
        case 'n': literal_ += '\n'; break;
        case 't': literal_ += '\t'; break;
        case '"':
        case '\\': literal_ += here(1); break;
        default: return fail(at_, "after '\\' comes n, t, '\"' or '\\'");
        }
        at_ += 2;
    }

    void value() {
        flush();
        const std::size_t begin = ++at_;
        std::size_t colon = std::string::npos;
        int depth = 0;
        for (; depth > 0 || (here() != '}' && here() != '\0'); ++at_) {
            const char c = here();
            if (c == '\0' || c == '"')
                break;
            depth += c == '[' || c == '(' || c == '{'   ? 1
                     : c == ']' || c == ')' || c == '}' ? -1
                                                        : 0;
            if (c == ':' && depth == 0 && colon == std::string::npos)
                colon = at_;
        }
        if (here() != '}')
            return fail(begin - 1, "'{' has no '}'; write '{{' for the character itself");
        const std::size_t end = std::min(colon, at_);
        if (text_.text.find_first_not_of(' ', begin) >= end)
            return fail(begin - 1, "there is no expression between the braces; write '{{' for the "
                                   "character itself");
        PrintPiece piece;
        piece.value = parse_expression(part(text_, begin, end), diagnostics_);
        ok_ = piece.value != nullptr;
        if (ok_ && colon != std::string::npos)
            read_style(colon + 1, piece.style);
        made_.pieces.push_back(std::move(piece));
        ++at_;
    }

    /// Parses [0][width][d|x|b|c], up to the closing brace.
    void read_style(std::size_t at, PrintStyle& style) {
        constexpr unsigned widest = 4096;
        const std::size_t begin = at;
        if (text_.text[at] == '0') {
            style.zeros = true;
            ++at;
        }
        for (; text_.text[at] >= '0' && text_.text[at] <= '9' && style.width <= widest; ++at)
            style.width = style.width * 10 + static_cast<unsigned>(text_.text[at] - '0');
        switch (text_.text[at]) {
        case 'd': style.base = PrintStyle::Base::decimal; break;
        case 'x': style.base = PrintStyle::Base::hexadecimal; break;
        case 'b': style.base = PrintStyle::Base::binary; break;
        case 'c': style.base = PrintStyle::Base::character; break;
        default: --at;
        }
        if (++at != at_ || begin == at_ || style.width > widest)
            fail(begin, fmt::format("a style is a width up to {}, with a 0 before it to fill with "
                                    "zeros, then d, x, b or c, as in '{{x:04x}}'",
                                    widest));
    }

    void read_when() {
        at_ = skip_blanks(at_);
        const std::string_view rest = std::string_view{text_.text}.substr(at_);
        if (rest.empty() || rest[0] == '#')
            return;
        if (!rest.starts_with("when") || (rest.size() > 4 && is_identifier(rest.substr(4, 1))))
            return fail(at_, "after the text comes nothing, or 'when' and a condition");
        made_.when = parse_expression(part(text_, at_ + 4, text_.text.size()), diagnostics_);
        ok_ = made_.when != nullptr;
    }

    const Text& text_;
    Diagnostics& diagnostics_;
    std::size_t at_ = 0;
    bool ok_ = true;
    std::string literal_;
    PrintText made_;
};

} // namespace

std::optional<PrintText> parse_print(const Text& text, Diagnostics& diagnostics) {
    return PrintParser{text, diagnostics}.run();
}

} // namespace sme::expr
