// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/fuzz/choices.hpp"
#include "yaml/fuzz/make/productions.hpp"
#include "yaml/fuzz/model.hpp"

namespace sme::fuzz {

/// The strengths of operators, doubled; "if" is 0, and 24 needs no parentheses.
enum Strength : int {
    by_implies = 2,
    by_or = 4,
    by_and = 6,
    by_not = 7,
    by_comparison = 8,
    by_bit_or = 10,
    by_bit_xor = 12,
    by_bit_and = 14,
    by_shift = 16,
    by_sum = 18,
    by_product = 20,
    by_power = 21,
    by_sign = 22,
    by_nothing = 24
};

/// The state that all parts of one generator share.
struct Maker {
    Choices& choices;
    Coverage& coverage;
    unsigned serial = 0; // for unique names

    void use(Production production) { coverage.count(production); }
    std::string fresh(const char* stem) { return stem + std::to_string(serial++); }
    template <class T> const T& one_of(const std::vector<T>& from) {
        return from[choices.below(static_cast<unsigned>(from.size()))];
    }
};

/// Generates terms of any type from the available names.
class TermMaker {
public:
    TermMaker(Maker& maker, Names& names) : m_{maker}, c_{maker.choices}, names_{names} {}

    /// Returns a typed value; about 2^depth operators, within the budget.
    Term term(const TypeOf& type, int depth);
    Term condition(int depth) { return term(boolean(), depth); }
    /// Returns a typed value, or a number without a type if another operand gives it one.
    Term operand(const TypeOf& type, int depth);
    Term literal(const TypeOf& type, bool bare);
    /// Returns a literal with this value.
    Term literal_of(const TypeOf& type, const Bits& bits, bool bare);
    Exact exact(int depth);
    /// Returns an index below `count` of an array, as written in brackets.
    Exact index(unsigned count, int depth);
    /// Returns an integer type, often of a usual width.
    TypeOf some_integer(bool may_be_wide = true);
    TypeOf some_unsigned(unsigned most);
    /// Returns a type whose values can be generated.
    TypeOf some_type();
    /// Returns a condition that is certainly not constant, if there is one.
    std::optional<Term> open_condition();
    void set_budget(unsigned terms) { budget_ = terms; }

    static std::string in_parentheses(const Term& term, int least);

private:
    Term leaf(const TypeOf& type);
    std::optional<Term> reach(Term base, const TypeOf& wanted, int steps);
    std::optional<Term> reach_inside(const Term& base, const TypeOf& wanted, int steps);
    Term named(const Name& name);
    Term element(const Term& base, unsigned dimensions);
    Term field(const Term& base, std::size_t number);
    Term bit(const Term& base);
    Term slice(const Term& base, unsigned width);

    Term of_bool(int depth);
    Term of_integer(const TypeOf& type, int depth);
    Term of_struct(const TypeOf& type, int depth);
    Term of_array(const TypeOf& type, int depth);
    Term conditional(const TypeOf& type, int depth);
    std::optional<Term> function_call(const TypeOf& type, int depth);
    Term fold(const TypeOf& type, int depth);
    std::optional<Term> unpacked(const TypeOf& type, int depth);
    Term random(const TypeOf& type);

    Term compare(int depth);
    Term equal(int depth);
    Term logic(int depth);
    Term any_or_all(int depth);
    Exact counted(int depth);

    Term arithmetic(const TypeOf& type, int depth);
    Term quotient(const TypeOf& type, int depth);
    Term shifted(const TypeOf& type, int depth);
    Term power(const TypeOf& type, int depth);
    Term sign(const TypeOf& type, int depth);
    Term called(const TypeOf& type, int depth);
    Term rotated(const TypeOf& type, int depth);
    Term extreme(const TypeOf& type, int depth);
    Term concatenated(const TypeOf& type, int depth);
    Term reduced(const TypeOf& type, int depth);
    Term cast(const TypeOf& type, int depth);
    Term of_exact(const TypeOf& type, int depth);
    std::string type_text(const TypeOf& type);

    /// Ranges "k < 3, j < 2"; their indices are visible while `body` is generated.
    struct Ranges {
        std::string text;
        std::vector<std::string> names;
        std::vector<unsigned> counts;
        unsigned total = 1;
    };
    Ranges ranges(unsigned most);
    void leave(const Ranges& ranges);
    /// Calls `visit(env)` with the indices bound, the last index running fastest.
    static void over(const Ranges& ranges, const Env& env,
                     const std::function<void(const Env&)>& visit);

    Maker& m_;
    Choices& c_;
    Names& names_;
    unsigned budget_ = 60;
    unsigned nested_ = 0; // nesting of indices in indices, limited against endless nesting
};

/// Returns the meaning of a composite term; unknown if any part is unknown.
template <class Function> Meaning meaning_of(const Term& a, Function function) {
    if (!a.meaning)
        return {};
    return [a = a.meaning, function](const Env& env) { return function(a(env)); };
}
template <class Function> Meaning meaning_of(const Term& a, const Term& b, Function function) {
    if (!a.meaning || !b.meaning)
        return {};
    return [a = a.meaning, b = b.meaning, function](const Env& env) {
        return function(a(env), b(env));
    };
}
inline Bits truth(bool value) {
    return Bits(1, value);
}

} // namespace sme::fuzz
