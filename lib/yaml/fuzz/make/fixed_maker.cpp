// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/fixed_maker.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

__extension__ typedef __int128 Number; // a multiple of 2^-fraction

struct Format {
    bool is_signed = false;
    unsigned whole = 0, fraction = 0;
    unsigned width() const { return whole + fraction; }
    std::string text() const {
        return fmt::format("{}fixed({}, {})", is_signed ? "" : "u", whole, fraction);
    }
    Number low() const { return is_signed ? -(Number{1} << (width() - 1)) : Number{0}; }
    Number high() const { return (Number{1} << (is_signed ? width() - 1 : width())) - 1; }
};

struct Fixed {
    std::string text;
    int strength;
    Format format;
    std::function<Number(const Env&)> meaning; // empty: unknown
};

Format joined(Format a, Format b) {
    const bool is_signed = a.is_signed || b.is_signed;
    a.whole += is_signed && !a.is_signed && a.width() > 0; // 0 needs no bits
    b.whole += is_signed && !b.is_signed && b.width() > 0;
    return {is_signed, std::max(a.whole, b.whole), std::max(a.fraction, b.fraction)};
}

/// Divides by 2^by, toward minus infinity.
Number floored(Number x, unsigned by) {
    const Number unit = Number{1} << by;
    return x >= 0 ? x / unit : -((-x + unit - 1) / unit);
}

constexpr std::array modes{"floor", "nearest", "even", "zero"};

Number rounded(Number x, unsigned by, unsigned mode) {
    if (by == 0)
        return x;
    const Number below = floored(x, by), rest = x - (below << by), half = Number{1} << (by - 1);
    switch (mode) {
    case 0: return below;
    case 1: return below + (rest >= half);
    case 2: return below + (rest > half || (rest == half && below % 2 != 0));
    default: return below + (x < 0 && rest > 0);
    }
}

Number wrapped(Number x, const Format& format) {
    const Number count = Number{1} << format.width();
    Number low = x - (floored(x, format.width()) << format.width());
    return low > format.high() ? low - count : low;
}

class FixedMaker {
public:
    FixedMaker(TermMaker& terms, Maker& maker) : t_{terms}, m_{maker}, c_{maker.choices} {}

    Fixed make(int depth) {
        if (depth <= 0)
            return leaf(depth);
        switch (c_.below(9)) {
        case 0: return negated(make(depth - 1));
        case 1: return narrowed(make(depth - 1));
        case 2: return chosen(depth);
        case 3: return extreme(depth);
        case 4: return leaf(depth);
        case 5: return absolute(make(depth - 1));
        default: return binary(depth);
        }
    }

    /// Returns a comparison of two numbers.
    Term compared(int depth) {
        const auto [a, b, format] = two(depth);
        if (format.width() > most_bits)
            return t_.condition(depth - 1);
        const unsigned op = c_.below(3);
        constexpr std::array symbols{"<", "==", ">="};
        Meaning meaning;
        if (a.meaning && b.meaning)
            meaning = [op, a = a, b = b](const Env& env) {
                const auto [x, y] = aligned(a, b, env);
                return truth(op == 0 ? x < y : op == 1 ? x == y : x >= y);
            };
        return {fmt::format("{} {} {}", closed(a, by_comparison + 1), symbols[op],
                            closed(b, by_comparison + 1)),
                boolean(), meaning, by_comparison};
    }

private:
    static constexpr unsigned most_bits = 110;

    /// Two operands, and the format that holds both.
    struct Two {
        Fixed a, b;
        Format format;
    };
    Two two(int depth) {
        Two result{make(depth - 1), number(depth - 1), {}};
        result.format = joined(result.a.format, result.b.format);
        return result;
    }

    static std::string closed(const Fixed& x, int least) {
        return x.strength < least ? "(" + x.text + ")" : x.text;
    }
    static std::pair<Number, Number> aligned(const Fixed& a, const Fixed& b, const Env& env) {
        const unsigned fraction = std::max(a.format.fraction, b.format.fraction);
        return {a.meaning(env) << (fraction - a.format.fraction),
                b.meaning(env) << (fraction - b.format.fraction)};
    }
    template <class Function>
    Fixed of_two(std::string text, int strength, Format format, const Fixed& a, const Fixed& b,
                 Function function) {
        std::function<Number(const Env&)> meaning;
        if (a.meaning && b.meaning)
            meaning = [=](const Env& env) {
                const auto [x, y] = aligned(a, b, env);
                return Number{function(x, y)};
            };
        return {std::move(text), strength, format, meaning};
    }

    Format format() {
        const bool is_signed = c_.chance(60);
        const unsigned whole = c_.below(c_.chance(20) ? 70 : 9);
        return {is_signed, whole, c_.between(whole == 0 ? 1 : 0, 12)};
    }

    /// The bits of an integer.
    Fixed leaf(int depth) {
        const Format made = format();
        const Term bits = t_.term(integer(made.width(), c_.chance(50)), depth - 1);
        std::function<Number(const Env&)> meaning;
        if (bits.meaning)
            meaning = [made, bits = bits.meaning](const Env& env) {
                const Bits found = bits(env);
                Number value = 0;
                for (std::size_t k = 0; k < found.size(); ++k)
                    value += Number{found[k]} << k;
                return wrapped(value, made);
            };
        return {fmt::format("{}({})", made.text(), bits.text), by_nothing, made, meaning};
    }

    /// A literal, or else any number.
    Fixed number(int depth) {
        if (!c_.chance(35))
            return make(depth);
        m_.use(Production::decimal_point);
        unsigned fraction = c_.below(9);
        Number units = c_.below(1000);
        const Number written = units;
        const unsigned places = fraction;
        while (fraction > 0 && units % 2 == 0) {
            units /= 2;
            --fraction;
        }
        unsigned bits = 0;
        while (units >> bits != 0)
            ++bits;
        const Format made{false, bits > fraction ? bits - fraction : 0, fraction};
        std::uint64_t digits = static_cast<std::uint64_t>(written) & ((1U << places) - 1);
        std::string text = fmt::format("{}.", static_cast<std::uint64_t>(written) >> places);
        do { // the digits of the fraction
            digits *= 10;
            text += std::to_string(digits >> places);
            digits &= (1U << places) - 1;
        } while (digits != 0);
        return {text, by_nothing, made, [units](const Env&) { return units; }};
    }

    Fixed negated(const Fixed& x) {
        std::function<Number(const Env&)> meaning;
        if (x.meaning)
            meaning = [x = x.meaning](const Env& env) { return -x(env); };
        return {"-" + closed(x, by_sign),
                by_sign,
                {true, x.format.whole + 1, x.format.fraction},
                meaning};
    }

    Fixed absolute(const Fixed& x) {
        std::function<Number(const Env&)> meaning;
        if (x.meaning)
            meaning = [x = x.meaning](const Env& env) {
                const Number value = x(env);
                return value < 0 ? -value : value;
            };
        return {fmt::format("abs({})", x.text),
                by_nothing,
                {false, x.format.whole, x.format.fraction},
                meaning};
    }

    Fixed binary(int depth) {
        auto [a, b, result] = two(depth);
        if (result.width() > most_bits - 2)
            return a;
        ++result.whole;
        if (c_.chance(40) && a.format.width() + b.format.width() <= most_bits) {
            std::function<Number(const Env&)> meaning;
            if (a.meaning && b.meaning)
                meaning = [a = a.meaning, b = b.meaning](const Env& env) {
                    return a(env) * b(env);
                };
            return {fmt::format("{} * {}", closed(a, by_product), closed(b, by_product + 1)),
                    by_product,
                    {result.is_signed, a.format.whole + b.format.whole,
                     a.format.fraction + b.format.fraction},
                    meaning};
        }
        const bool minus = c_.chance(50);
        result.is_signed = result.is_signed || minus;
        return of_two(
            fmt::format("{} {} {}", closed(a, by_sum), minus ? "-" : "+", closed(b, by_sum + 1)),
            by_sum, result, a, b, [minus](Number x, Number y) { return minus ? x - y : x + y; });
    }

    Fixed extreme(int depth) {
        auto [a, b, result] = two(depth);
        if (result.width() > most_bits)
            return a;
        const bool largest = c_.chance(50);
        return of_two(fmt::format("{}({}, {})", largest ? "max" : "min", a.text, b.text),
                      by_nothing, result, a, b, [largest](Number x, Number y) {
                          return largest ? std::max(x, y) : std::min(x, y);
                      });
    }

    Fixed chosen(int depth) {
        auto [a, b, result] = two(depth);
        if (result.width() > most_bits)
            return a;
        const std::optional<Term> open = t_.open_condition();
        if (!open) // the type is that of the arm that is always taken
            return a;
        const Term& condition = *open;
        Fixed made = of_two(fmt::format("if {} then {} else {}", condition.text, a.text, b.text), 0,
                            result, a, b, [](Number x, Number) { return x; });
        if (!made.meaning || !condition.meaning)
            made.meaning = {};
        else
            made.meaning = [a = a, b = b, holds = condition.meaning](const Env& env) {
                const auto [x, y] = aligned(a, b, env);
                return holds(env)[0] ? x : y;
            };
        return made;
    }

    /// round, saturate or wrap.
    Fixed narrowed(const Fixed& x) {
        const Format wanted = format();
        const unsigned which = c_.below(3), mode = c_.below(4);
        const bool drops = x.format.fraction > wanted.fraction;
        const unsigned by = drops ? x.format.fraction - wanted.fraction : 0;
        if (joined(x.format, wanted).width() > most_bits)
            return x;
        constexpr std::array functions{"round", "saturate", "wrap"};
        const bool named = drops ? which != 0 || mode != 0 : c_.chance(30);
        m_.use(Production::fixed_narrowed);
        std::string text = fmt::format("{}({}, {}{})", functions[which], x.text, wanted.text(),
                                       named ? fmt::format(", {}", modes[mode]) : std::string{});
        Format result = wanted;
        if (which == 0) {
            result = {x.format.is_signed, x.format.whole,
                      std::min(x.format.fraction, wanted.fraction)};
            if (drops)
                result.whole = std::max(x.format.whole + (mode == 1 || mode == 2),
                                        result.fraction > 0 ? 0U : 1U);
        }
        std::function<Number(const Env&)> meaning;
        if (x.meaning)
            meaning = [=, of = x.meaning](const Env& env) {
                Number value = rounded(of(env), by, mode);
                if (which == 0)
                    return value;
                value <<= wanted.fraction - (x.format.fraction - by);
                return which == 2 ? wrapped(value, wanted)
                                  : std::clamp(value, wanted.low(), wanted.high());
            };
        return {text, by_nothing, result, meaning};
    }

    TermMaker& t_;
    Maker& m_;
    Choices& c_;
};

} // namespace

Term fixed_compared(TermMaker& terms, Maker& maker, int depth) {
    maker.use(Production::fixed_compared);
    return FixedMaker{terms, maker}.compared(std::min(depth, 2));
}

Term fixed_bits(TermMaker& terms, Maker& maker, const TypeOf& type, int depth) {
    maker.use(Production::fixed_point);
    const Fixed made = FixedMaker{terms, maker}.make(std::min(depth, 3));
    const unsigned width = made.format.width();
    Meaning meaning;
    if (made.meaning)
        meaning = [of = made.meaning, width, wanted = type->width](const Env& env) {
            const Number value = of(env);
            Bits bits(width);
            for (unsigned k = 0; k < width; ++k)
                bits[k] = (value >> k & 1) != 0;
            return resized(bits, wanted, false);
        };
    return {
        fmt::format("{}{}(u{}({}))", type->is_signed ? 'i' : 'u', type->width, width, made.text),
        type, meaning, by_nothing};
}

} // namespace sme::fuzz
