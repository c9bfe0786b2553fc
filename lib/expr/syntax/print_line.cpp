// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/print_line.hpp"

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "bits/words.hpp"

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
        return without_leading_zeros(
            hexadecimal({words, type.leaf_count()}, width).substr(std::string_view{"0x"}.size()));
    case Base::binary: return without_leading_zeros(binary(words, width));
    case Base::decimal: break;
    case Base::natural:
        if (type.is_wide())
            return hexadecimal({words, type.leaf_count()}, width);
        if (type.kind() == TypeKind::boolean)
            return *words != 0 ? "true" : "false";
        return scalar_text(type, words);
    }
    return type.is_signed() ? fmt::format("{}", static_cast<std::int64_t>(*words))
                            : fmt::format("{}", *words);
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
    std::string made;
    for (const PrintLine::Piece& piece : line.pieces)
        if (piece.type)
            add(piece.style, *piece.type, values, made);
        else
            made += piece.text;
    return made;
}

std::string style_problem(const PrintStyle& style, const Type& type) {
    if (style.base == Base::decimal)
        if (const Type* wide = scalar_with(type, [](const Type& each) { return each.is_wide(); }))
            return fmt::format("{} has no decimal digits here; print it with x or b", wide->name());
    if (style.base == Base::character)
        if (const Type* other = scalar_with(type, [](const Type& each) {
                return each.kind() != TypeKind::unsigned_integer || each.width_bits() > 8;
            }))
            return fmt::format("style c writes characters of u8 or less, but this is {}",
                               other->name());
    return {};
}

} // namespace sme::expr
