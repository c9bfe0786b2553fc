// SPDX-License-Identifier: Apache-2.0
//
// Literals in all their spellings, exact integers, and indices.
#include <algorithm>

#include <fmt/format.h>

#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

namespace {

Bits random_bits(unsigned width, Choices& choices) {
    Bits result(width);
    if (choices.chance(50)) { // small, or near the other end
        result = bits_of(choices.below(5), width);
        return choices.chance(30) ? inverted(result) : result;
    }
    for (unsigned low = 0; low < width; low += 64)
        put(result, low, bits_of(choices.word(), std::min(64u, width - low)));
    return result;
}

std::string grouped(const std::string& digits) {
    std::string result;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        result += k > 0 && (digits.size() - k) % 3 == 0 ? "_" : "";
        result += digits[k];
    }
    return result;
}

} // namespace

Term TermMaker::literal_of(const TypeOf& type, const Bits& bits, bool bare) {
    const Meaning meaning = [bits](const Env&) { return bits; };
    if (type->kind == Shape::Kind::boolean) {
        m_.use(Production::boolean_literal);
        return {bits[0] ? "true" : "false", type, meaning, by_nothing};
    }
    if (type->is_signed && type->is_wide())
        return {number_text(bits, true), type, meaning, by_nothing};
    const bool negative = type->is_signed && bits.back();
    std::string text = text_of(bits, type->is_signed);
    if (negative) {
        m_.use(Production::negative_number);
    } else if (type->width > 126) {
        m_.use(Production::long_number);
    } else if (type->width <= 64 && c_.chance(60)) {
        m_.use(Production::decimal);
        text = std::to_string(number_of(bits));
        if (text.size() > 3 && c_.chance(50)) {
            m_.use(Production::underscores);
            text = grouped(text);
        }
    } else if (type->width <= 24 && c_.chance(40)) {
        m_.use(Production::binary_digits);
        text = fmt::format("0b{:b}", number_of(bits));
    } else
        m_.use(Production::hexadecimal);
    m_.use(bare ? Production::bare_number : Production::typed_number);
    if (bare)
        return {text, type, meaning, negative ? by_sign : by_nothing};
    return {fmt::format("{}({})", type_text(type), text), type, meaning, by_nothing};
}

Term TermMaker::literal(const TypeOf& type, bool bare) {
    if (type->kind != Shape::Kind::enumeration)
        return literal_of(type, random_bits(type->width, c_), bare);
    const auto& [name, value] = m_.one_of(type->members);
    const bool dotted = c_.chance(40);
    m_.use(dotted ? Production::dotted_member : Production::bare_member);
    return {dotted ? type->text + "." + name : name, type,
            [bits = bits_of(value, type->width)](const Env&) { return bits; }, by_nothing};
}

/// Returns the type as written in front of "(": u8, or u(8).
std::string TermMaker::type_text(const TypeOf& type) {
    if (!type->is_integer() || type->width > 64 || !c_.chance(8))
        return type->text;
    m_.use(Production::type_of_width);
    return fmt::format("{}({})", type->is_signed ? "i" : "u", type->width);
}

Term TermMaker::operand(const TypeOf& type, int depth) {
    if (type->is_integer() && c_.chance(25))
        return literal(type, true);
    return term(type, depth);
}

Exact TermMaker::exact(int depth) {
    if (!names_.exact.empty() && c_.chance(60))
        return m_.one_of(names_.exact);
    if (depth <= 0 || c_.chance(30)) {
        const auto value = static_cast<std::int64_t>(c_.below(40));
        return {std::to_string(value), [value](const Env&) { return value; }, value, value};
    }
    if (c_.chance(25))
        return counted(depth);
    m_.use(Production::exact_arithmetic);
    const Exact a = exact(depth - 1), b = exact(depth - 1);
    const unsigned op = c_.below(5);
    const auto divisor = static_cast<std::int64_t>(c_.between(1, 9));
    std::function<std::int64_t(const Env&)> meaning;
    if (a.meaning && b.meaning)
        meaning = [=, x = a.meaning, y = b.meaning](const Env& env) -> std::int64_t {
            const std::int64_t left = x(env);
            switch (op) {
            case 0: return left + y(env);
            case 1: return left - y(env);
            case 2: return left * 3;
            case 3: return left / divisor;
            default: return left % divisor;
            }
        };
    const std::int64_t far = 3 * std::max({a.high, b.high, -a.low, -b.low}) + 1;
    return {op == 0   ? fmt::format("({} + {})", a.text, b.text)
            : op == 1 ? fmt::format("({} - {})", a.text, b.text)
            : op == 2 ? fmt::format("({} * 3)", a.text)
            : op == 3 ? fmt::format("({} / {})", a.text, divisor)
                      : fmt::format("({} % {})", a.text, divisor),
            meaning, -far, far};
}

namespace {

Exact fixed(unsigned value) {
    return {std::to_string(value), [=](const Env&) { return std::int64_t{value}; }, value, value};
}

unsigned bits_for(unsigned count) {
    unsigned width = 1;
    while ((1u << width) < count)
        ++width;
    return width;
}

} // namespace

Exact TermMaker::index(unsigned count, int depth) {
    for (const Exact& each : names_.exact) // an index of the family or of a reducer
        if (each.low >= 0 && each.high < static_cast<std::int64_t>(count) && c_.chance(40)) {
            m_.use(Production::index_value);
            return each;
        }
    if (count == 1 || depth <= 0 || budget_ == 0 || nested_ > 8 || c_.chance(30))
        return fixed(c_.below(count));
    --budget_;
    const unsigned width = bits_for(count);
    const bool exact_power = (1u << width) == count;
    const bool guarded = !(names_.faults && c_.chance(10));
    ++nested_;
    const Term chosen =
        term(integer(exact_power || !guarded ? width : width + c_.below(8), false), depth - 1);
    --nested_;
    std::function<std::int64_t(const Env&)> meaning;
    if (chosen.meaning)
        meaning = [a = chosen.meaning, count](const Env& env) {
            return static_cast<std::int64_t>(number_of(a(env)) % count);
        };
    if (exact_power)
        return {in_parentheses(chosen, by_comparison + 1), meaning, 0, count - 1};
    if (!guarded) {
        m_.use(Production::fault);
        return {in_parentheses(chosen, by_comparison + 1), {}, 0, count - 1};
    }
    return {fmt::format("{} % {}", in_parentheses(chosen, by_product), count), meaning, 0,
            count - 1};
}

} // namespace sme::fuzz
