// SPDX-License-Identifier: Apache-2.0
//
// Types as written: bool, u8, u(n), Name, T[n], T[n, m].
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/decimal.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

namespace {

/// Returns the width in "u16"; `nullopt` if the text is not such a name.
std::optional<Integer> width_in(const std::string& text) {
    if (text.size() < 2 || text.size() > 6 || (text[0] != 'u' && text[0] != 'i') ||
        text[1] == '0' || text.find_first_not_of("0123456789", 1) != std::string::npos)
        return std::nullopt;
    return parse_integer(std::string_view{text}.substr(1));
}

/// Returns "; write u8" for type names of other languages.
std::string common_type(const std::string& text) {
    static const std::map<std::string, const char*> others{{"int", "i32"},
                                                           {"integer", "i32"},
                                                           {"signed", "i32"},
                                                           {"uint", "u32"},
                                                           {"unsigned", "u32"},
                                                           {"byte", "u8"},
                                                           {"char", "u8"},
                                                           {"bit", "bool"},
                                                           {"boolean", "bool"},
                                                           {"logic", "bool"},
                                                           {"reg", "bool"},
                                                           {"float", "fixed(4, 12)"},
                                                           {"double", "fixed(4, 12)"},
                                                           {"fixed", "fixed(4, 12)"},
                                                           {"ufixed", "ufixed(4, 12)"}};
    if (const auto found = others.find(text); found != others.end())
        return fmt::format("; write {}", found->second);
    const std::size_t digits = text.find_first_of("0123456789");
    const std::string_view word = std::string_view{text}.substr(0, digits);
    if (digits == std::string::npos || (word != "uint" && word != "int"))
        return {};
    const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
    return fmt::format("; write {}{}", word[0], text.substr(digits, end - digits));
}

} // namespace

TypeRef Elaborator::type(const Ast& ast) {
    if (ast.kind == Ast::Kind::name)
        return named_type(ast);
    if (ast.kind == Ast::Kind::call && ast.operands[0]->kind == Ast::Kind::name) {
        const std::string& name = ast.operands[0]->text;
        if ((name == "u" || name == "i") && ast.operands.size() == 2) {
            const std::optional<Integer> width = constant(*ast.operands[1], "the width of a type");
            return width ? integer_type(name == "i", *width, ast.where) : nullptr;
        }
        return name == "fixed" || name == "ufixed" ? fixed_type(ast) : generic_type(ast);
    }
    if (ast.kind == Ast::Kind::index && ast.operands.size() > 1)
        return array_type(ast);
    fail(Code::bad_type, ast.where,
         ast.kind == Ast::Kind::index
             ? "the length is missing; T[] is allowed only where a file or a list gives it"
             : "this is no type; write bool, u8, i16, fixed(4, 12), a name, or T[n]");
    return nullptr;
}

TypeRef Elaborator::integer_type(bool is_signed, Integer width, const Location& where) {
    if (width < 1 || width > Type::max_bits) {
        fail(Code::bad_type, where,
             fmt::format("an integer has 1 to {} bits, but this has {}", Type::max_bits,
                         to_string(width)));
        return nullptr;
    }
    const auto bits = static_cast<unsigned>(width);
    return is_signed ? Type::signed_integer(bits) : Type::unsigned_integer(bits);
}

/// Resolves fixed(4, 12) and ufixed(0, 8).
TypeRef Elaborator::fixed_type(const Ast& ast) {
    const std::string& name = ast.operands[0]->text;
    if (ast.operands.size() != 3) {
        fail(
            Code::bad_type, ast.where,
            fmt::format("this is written {}(bits before the point, bits after it), as in {}(4, 12)",
                        name, name));
        return nullptr;
    }
    const auto whole = constant(*ast.operands[1], "the number of bits before the point");
    const auto fraction = constant(*ast.operands[2], "the number of bits after the point");
    if (!whole || !fraction)
        return nullptr;
    constexpr Integer most = Type::max_bits;
    if (*whole < 0 || *fraction < 0 || *whole > most || *fraction > most ||
        *whole + *fraction < 1 || *whole + *fraction > most) {
        fail(Code::bad_type, ast.where,
             fmt::format("a fixed-point number has 1 to {} bits, of which 0 or more are before the "
                         "point and after it",
                         Type::max_bits));
        return nullptr;
    }
    return Type::fixed(name == "fixed", static_cast<unsigned>(*whole),
                       static_cast<unsigned>(*fraction));
}

TypeRef Elaborator::named_type(const Ast& ast) {
    if (TypeRef known = scope_.find_type(ast.text))
        return known;
    if (ast.text == "bool")
        return Type::boolean();
    if (const std::optional<Integer> width = width_in(ast.text))
        return integer_type(ast.text[0] == 'i', *width, ast.where);
    std::string hint = common_type(ast.text);
    if (hint.empty()) {
        std::vector<std::string> names{"bool"};
        scope_.type_names(names);
        hint = did_you_mean(ast.text, names);
    }
    if (hint.empty())
        hint = "; types are bool, u1 to u4096, i1 to i4096, fixed(4, 12), ufixed(0, 8) and those "
               "under 'types'";
    fail(Code::unknown_type, ast.where, fmt::format("there is no type '{}'{}", ast.text, hint));
    return nullptr;
}

TypeRef Elaborator::array_type(const Ast& ast) {
    TypeRef result = type(*ast.operands[0]);
    if (result && result->is_bundle()) {
        fail(Code::bad_bundle, ast.where,
             fmt::format("{} has back fields, so there are no arrays of it; for several buses "
                         "write name[n] before the colon",
                         result->name()));
        return nullptr;
    }
    for (std::size_t k = ast.operands.size(); result && k-- > 1;) {
        const std::optional<Integer> count = constant(*ast.operands[k], "the length of an array");
        if (!count)
            return nullptr;
        constexpr Integer most = Integer{1} << 32;
        const Integer total = *count * static_cast<Integer>(result->size());
        if (*count < 1)
            fail(
                Code::bad_type, ast.operands[k]->where,
                fmt::format("an array has at least 1 element, but this has {}", to_string(*count)));
        else if (*count > most || total > most)
            fail(Code::too_large, ast.where,
                 fmt::format("an array takes at most {} bytes, but this takes {}", to_string(most),
                             to_string(total)));
        else {
            result = Type::array(result, static_cast<std::uint64_t>(*count));
            continue;
        }
        return nullptr;
    }
    return result;
}

/// Resolves a generic type: "Stream(u16)".
TypeRef Elaborator::generic_type(const Ast& ast) {
    const std::string& name = ast.operands[0]->text;
    std::vector<TypeRef> arguments;
    for (std::size_t k = 1; k < ast.operands.size(); ++k) {
        arguments.push_back(type(*ast.operands[k]));
        if (!arguments.back())
            return nullptr;
    }
    if (const std::optional<TypeRef> result = scope_.make_type(name, arguments, ast.where))
        return *result;
    if (scope_.find_type(name))
        fail(Code::bad_type, ast.where, fmt::format("type '{}' has no parameters", name));
    else {
        std::vector<std::string> names;
        scope_.type_names(names);
        fail(Code::unknown_type, ast.where,
             fmt::format("there is no type '{}'{}", name, did_you_mean(name, names)));
    }
    return nullptr;
}

// Numbers that take a type.

std::string number_text(const BoundExpr& value) {
    return value.is_exact() ? to_string(value.low)
                            : hexadecimal(*value.words(), width_of(*value.words()));
}

std::string range_text(const Type& type) {
    if (type.is_fixed() && !type.is_wide()) {
        const auto bits = static_cast<unsigned>(type.width_bits());
        const auto low = static_cast<std::uint64_t>(smallest(bits, type.is_signed()));
        const auto high = static_cast<std::uint64_t>(largest(bits, type.is_signed()));
        return fmt::format("{} to {}", fixed_text(type, &low), fixed_text(type, &high));
    }
    if (type.is_wide()) {
        const std::uint64_t bits = type.width_bits() - type.is_signed();
        const std::string power = type.is_fixed()
                                      ? fmt::format("2^{0} / 2^{1}", bits, type.fraction_bits())
                                      : fmt::format("2^{}", bits);
        return fmt::format("{} to {}{}", type.is_signed() ? "-" + power : "0", power,
                           type.is_fixed() ? ", exclusive" : " - 1");
    }
    const auto width = static_cast<unsigned>(type.width_bits());
    return fmt::format("{} to {}", to_string(smallest(width, type.is_signed())),
                       to_string(largest(width, type.is_signed())));
}

BoundExpr Elaborator::needs_type(const Ast& ast) {
    return fail(Code::needs_type, ast.where,
                "a number of more than 126 bits meets no type here; write it, as in u256(...)");
}

bool Elaborator::number_fits(const BoundExpr& value, const Type& type) const {
    const auto width = static_cast<unsigned>(type.width_bits());
    if (!value.is_exact())
        return width_of(*value.words()) <= width - type.is_signed();
    if (width > 126)
        return value.low >= 0 || type.is_signed();
    return value.low >= smallest(width, type.is_signed()) &&
           value.high <= largest(width, type.is_signed());
}

} // namespace sme::expr
