// SPDX-License-Identifier: Apache-2.0
//
// Terms that are operators, on bools and on integers.
#include <array>

#include <fmt/format.h>

#include "yaml/fuzz/make/fixed_maker.hpp"
#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

namespace {

struct Spelled {
    const char* text;
    int strength;
};

/// Returns "a op b" with the necessary parentheses; the operator is left-associative.
std::string spelled(const Term& a, const Spelled& op, const Term& b) {
    const bool chains = op.strength != by_comparison;
    return fmt::format("{} {} {}", TermMaker::in_parentheses(a, op.strength + (chains ? 0 : 1)),
                       op.text, TermMaker::in_parentheses(b, op.strength + 1));
}

constexpr unsigned most_multiplied = 257; // bits: wider products are slow to write out

constexpr std::array comparisons{"==", "!=", "<", "<=", ">", ">="};

bool compares(unsigned op, bool equal, bool less) {
    switch (op) {
    case 0: return equal;
    case 1: return !equal;
    case 2: return less;
    case 3: return less || equal;
    case 4: return !less && !equal;
    default: return !less;
    }
}

} // namespace

Term TermMaker::of_bool(int depth) {
    switch (c_.below(8)) {
    case 0:
    case 1:
    case 2: return logic(depth);
    case 3:
    case 4: return compare(depth);
    case 5: return equal(depth);
    case 6: return any_or_all(depth);
    default: return bit(term(some_integer(), depth - 1));
    }
}

Term TermMaker::logic(int depth) {
    const unsigned op = c_.below(8);
    const Term a = condition(depth - 1);
    if (op == 0)
        return {"not " + in_parentheses(a, by_not), boolean(), meaning_of(a, inverted), by_not};
    if (op == 1) {
        m_.use(Production::bool_operator);
        return {"~" + in_parentheses(a, by_sign), boolean(), meaning_of(a, inverted), by_sign};
    }
    const Term b = condition(depth - 1);
    constexpr std::array<Spelled, 6> ops{{{"and", by_and},
                                          {"or", by_or},
                                          {"implies", by_implies},
                                          {"&", by_bit_and},
                                          {"^", by_bit_xor},
                                          {"|", by_bit_or}}};
    const Spelled& chosen = ops[op - 2];
    if (op > 4)
        m_.use(Production::bool_operator);
    const auto value = [op](const Bits& x, const Bits& y) {
        switch (op) {
        case 2:
        case 5: return truth(x[0] && y[0]);
        case 4: return truth(!x[0] || y[0]);
        case 6: return truth(x[0] != y[0]);
        default: return truth(x[0] || y[0]);
        }
    };
    // "implies" is right-associative: a left operand with it gets parentheses
    const std::string text = op == 4
                                 ? fmt::format("{} implies {}", in_parentheses(a, by_implies + 1),
                                               in_parentheses(b, by_implies))
                                 : spelled(a, chosen, b);
    return {text, boolean(), meaning_of(a, b, value), chosen.strength};
}

Term TermMaker::compare(int depth) {
    const unsigned op = c_.below(6);
    if (c_.chance(15)) { // of exact integers
        const Exact a = exact(1), b = exact(1);
        Meaning meaning;
        if (a.meaning && b.meaning)
            meaning = [=, x = a.meaning, y = b.meaning](const Env& env) {
                return truth(compares(op, x(env) == y(env), x(env) < y(env)));
            };
        return {fmt::format("{} {} {}", a.text, comparisons[op], b.text), boolean(), meaning,
                by_comparison};
    }
    if (c_.chance(10))
        return fixed_compared(*this, m_, depth);
    const TypeOf type = some_integer();
    const Term a = term(type, depth - 1), b = operand(type, depth - 1);
    const auto value = [op, is_signed = type->is_signed](const Bits& x, const Bits& y) {
        return truth(compares(op, x == y, is_less(x, y, is_signed)));
    };
    return {spelled(a, {comparisons[op], by_comparison}, b), boolean(), meaning_of(a, b, value),
            by_comparison};
}

Term TermMaker::equal(int depth) {
    const TypeOf type = some_type();
    m_.use(type->kind == Shape::Kind::structure     ? Production::equal_structs
           : type->kind == Shape::Kind::array       ? Production::equal_arrays
           : type->kind == Shape::Kind::enumeration ? Production::equal_members
                                                    : Production::bool_operator);
    const unsigned op = c_.below(2);
    const Term a = term(type, depth - 1), b = term(type, depth - 1);
    return {spelled(a, {comparisons[op], by_comparison}, b), boolean(),
            meaning_of(a, b, [op](const Bits& x, const Bits& y) { return truth((x == y) != op); }),
            by_comparison};
}

Term TermMaker::of_integer(const TypeOf& type, int depth) {
    switch (c_.below(14)) {
    case 0:
    case 1:
    case 2: return arithmetic(type, depth);
    case 12: return power(type, depth);
    case 3: return quotient(type, depth);
    case 4: return shifted(type, depth);
    case 5: return sign(type, depth);
    case 6: return called(type, depth);
    case 7: return extreme(type, depth);
    case 8: return concatenated(type, depth);
    case 9: return reduced(type, depth);
    case 10: return of_exact(type, depth);
    case 11: return fixed_bits(*this, m_, type, depth);
    default: return cast(type, depth);
    }
}

Term TermMaker::arithmetic(const TypeOf& type, int depth) {
    constexpr std::array<Spelled, 6> ops{{{"+", by_sum},
                                          {"-", by_sum},
                                          {"&", by_bit_and},
                                          {"^", by_bit_xor},
                                          {"|", by_bit_or},
                                          {"*", by_product}}};
    const unsigned op = c_.below(type->width > most_multiplied ? 5 : 6);
    if (type->is_wide())
        m_.use(op == 5 ? Production::wide_product : Production::wide_value);
    const Term a = term(type, depth - 1), b = operand(type, depth - 1);
    const auto value = [op](const Bits& x, const Bits& y) {
        switch (op) {
        case 0: return added(x, y);
        case 1: return subtracted(x, y);
        case 2: return bitwise('&', x, y);
        case 3: return bitwise('^', x, y);
        case 4: return bitwise('|', x, y);
        default: return multiplied(x, y);
        }
    };
    return {spelled(a, ops[op], b), type, meaning_of(a, b, value), ops[op].strength};
}

/// Divides by an odd number or a tested one; rarely by any value.
Term TermMaker::quotient(const TypeOf& type, int depth) {
    if (type->width > most_multiplied)
        return arithmetic(type, depth);
    const bool rest = c_.chance(50);
    const Spelled op{rest ? "%" : "/", by_product};
    Term a = term(type, depth - 1);
    Term b = term(type, depth - 1);
    if (names_.faults && c_.chance(15)) {
        m_.use(Production::fault);
        return {spelled(a, op, b), type, {}, by_product};
    }
    const auto value = [rest, is_signed = type->is_signed](const Bits& x, const Bits& y) {
        return rest ? remainder_of(x, y, is_signed) : divided(x, y, is_signed);
    };
    if (b.meaning && c_.chance(50)) { // a random term differs when it is written twice
        m_.use(Production::guarded_fault);
        const auto safe = [value](const Bits& x, const Bits& y) {
            return is_zero(y) ? x : value(x, y);
        };
        const Term meant = {spelled(a, op, b), type, meaning_of(a, b, safe), by_product};
        return {fmt::format("if {} != 0 then {} else {}", in_parentheses(b, by_comparison + 1),
                            meant.text, a.text),
                type, meant.meaning, 0};
    }
    b = {fmt::format("{} | 1", in_parentheses(b, by_bit_or)), type,
         meaning_of(b,
                    [](const Bits& y) {
                        return bitwise('|', y, bits_of(1, static_cast<unsigned>(y.size())));
                    }),
         by_bit_or};
    if (type->is_signed && type->width == 1) // 1 does not fit
        return a;
    return {spelled(a, op, b), type, meaning_of(a, b, value), by_product};
}

Term TermMaker::shifted(const TypeOf& type, int depth) {
    const bool left = c_.chance(50);
    const Term a = term(type, depth - 1);
    const TypeOf counts = c_.chance(10) ? integer(80, false) : some_unsigned(9);
    const Term by = c_.chance(20) ? literal_of(integer(7, false), bits_of(c_.word(), 7), true)
                                  : term(counts, depth - 1);
    const auto value = [left, is_signed = type->is_signed](const Bits& x, const Bits& y) {
        const std::uint64_t n = number_of(y, 1u << 20);
        return left ? shifted_left(x, n) : shifted_right(x, n, is_signed);
    };
    return {spelled(a, {left ? "<<" : ">>", by_shift}, by), type, meaning_of(a, by, value),
            by_shift};
}

/// Raises to a small exponent.
Term TermMaker::power(const TypeOf& type, int depth) {
    if (type->width > most_multiplied)
        return arithmetic(type, depth);
    const unsigned exponent = c_.below(type->is_wide() ? 4 : 9);
    const Term a = term(type, depth - 1);
    const auto value = [exponent](const Bits& x) {
        Bits result = bits_of(1, static_cast<unsigned>(x.size()));
        for (unsigned k = 0; k < exponent; ++k)
            result = multiplied(result, x);
        return result;
    };
    return {fmt::format("{} ** {}", in_parentheses(a, by_power), exponent), type,
            meaning_of(a, value), by_power};
}

Term TermMaker::sign(const TypeOf& type, int depth) {
    const bool minus = c_.chance(50);
    const Term a = term(type, depth - 1);
    return {(minus ? "-" : "~") + in_parentheses(a, by_sign), type,
            meaning_of(a, [minus](const Bits& x) { return minus ? negated(x) : inverted(x); }),
            by_sign};
}

} // namespace sme::fuzz
