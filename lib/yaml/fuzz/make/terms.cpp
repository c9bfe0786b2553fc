// SPDX-License-Identifier: Apache-2.0
//
// Terms of every type, and their leaves: names, parts of names, and literals.
#include <algorithm>

#include <fmt/format.h>

#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

std::string TermMaker::in_parentheses(const Term& term, int least) {
    return term.strength < least ? "(" + term.text + ")" : term.text;
}

TypeOf TermMaker::some_integer(bool may_be_wide) {
    constexpr unsigned usual[] = {8, 1, 4, 7, 9, 16, 17, 31, 32, 33, 63, 64};
    constexpr unsigned wide[] = {65, 100, 128, 129, 192, 257};
    if (may_be_wide && c_.chance(15))
        return integer(c_.chance(3) ? 4096 : wide[c_.below(6)], c_.chance(40));
    const unsigned width = c_.chance(70) ? usual[c_.below(12)] : c_.between(1, 64);
    return integer(width, c_.chance(35));
}

TypeOf TermMaker::some_unsigned(unsigned most) {
    return integer(c_.between(1, most), false);
}

TypeOf TermMaker::some_type() {
    if (!names_.types.empty() && c_.chance(50))
        return m_.one_of(names_.types);
    return c_.chance(25) ? boolean() : some_integer();
}

Term TermMaker::term(const TypeOf& type, int depth) {
    if (depth <= 0 || budget_ == 0 || c_.chance(15))
        return leaf(type);
    --budget_;
    if (c_.chance(3)) {
        m_.use(Production::parentheses);
        Term result = term(type, depth);
        return {"(" + result.text + ")", type, result.meaning, by_nothing};
    }
    if (c_.chance(12))
        return conditional(type, depth);
    if (c_.chance(10))
        if (auto result = function_call(type, depth))
            return *result;
    if (c_.chance(4))
        return fold(type, depth);
    if (c_.chance(6))
        if (auto result = unpacked(type, depth))
            return *result;
    switch (type->kind) {
    case Shape::Kind::boolean: return of_bool(depth);
    case Shape::Kind::integer: return of_integer(type, depth);
    case Shape::Kind::structure: return of_struct(type, depth);
    case Shape::Kind::array: return of_array(type, depth);
    case Shape::Kind::enumeration: break;
    }
    return c_.chance(50) ? conditional(type, depth) : leaf(type);
}

Term TermMaker::leaf(const TypeOf& type) {
    if (names_.random && c_.chance(3))
        return random(type);
    if (type->is_scalar() && c_.chance(12))
        return literal(type, false);
    if (type->is_integer() && !names_.exact.empty() && c_.chance(8))
        return of_exact(type, 1);
    for (int tries = 0; tries < 6 && !names_.values.empty(); ++tries) {
        const Name& name = m_.one_of(names_.values);
        if (!names_.known || name.known)
            if (auto result = reach(named(name), type, 4))
                return *result;
    }
    if (type->kind == Shape::Kind::structure)
        return of_struct(type, 0);
    return type->kind == Shape::Kind::array ? of_array(type, 0) : literal(type, false);
}

Term TermMaker::named(const Name& name) {
    Meaning meaning;
    if (name.known)
        meaning = [key = name.where()](const Env& env) { return env.at(key); };
    Term result{name.text, name.type, std::move(meaning), by_nothing};
    if (name.memory)
        m_.use(Production::memory_word);
    if (name.table)
        m_.use(Production::table_read);
    if (name.dimensions == 0)
        return result;
    m_.use(Production::port_element);
    return element(result, name.dimensions);
}

/// Returns a part of a term with the wanted type: the term itself, a field, an element, a slice, a
/// bit.
std::optional<Term> TermMaker::reach(Term base, const TypeOf& wanted, int steps) {
    if (same(*base.type, *wanted)) {
        m_.use(Production::name);
        return base;
    }
    if (steps == 0)
        return std::nullopt;
    return reach_inside(base, wanted, steps - 1);
}

std::optional<Term> TermMaker::reach_inside(const Term& base, const TypeOf& wanted, int steps) {
    const Shape& type = *base.type;
    if (type.kind == Shape::Kind::array) {
        const bool two = type.element->kind == Shape::Kind::array && c_.chance(70);
        return reach(element(base, two ? 2 : 1), wanted, steps);
    }
    if (type.kind == Shape::Kind::structure) {
        const auto count = static_cast<unsigned>(type.fields.size());
        const unsigned first = c_.below(count);
        for (unsigned k = 0; k < count; ++k)
            if (auto result = reach(field(base, (first + k) % count), wanted, steps))
                return result;
    }
    if (type.is_integer() && wanted->kind == Shape::Kind::boolean)
        return bit(base);
    if (type.is_integer() && wanted->is_integer() && !wanted->is_signed &&
        wanted->width <= type.width)
        return slice(base, wanted->width);
    return std::nullopt;
}

Term TermMaker::field(const Term& base, std::size_t number) {
    m_.use(Production::field);
    const auto& [name, type] = base.type->fields[number];
    const unsigned low = field_low(*base.type, number), width = type->width;
    return {in_parentheses(base, by_nothing) + "." + name, type,
            meaning_of(base, [=](const Bits& a) { return cut(a, low, width); }), by_nothing};
}

/// Returns one element of an array with as many dimensions as requested.
Term TermMaker::element(const Term& base, unsigned dimensions) {
    m_.use(Production::element);
    std::string indices;
    Meaning meaning = base.meaning;
    TypeOf type = base.type;
    const bool apart = dimensions > 1 && !base.text.empty() && type->named && c_.chance(30);
    for (unsigned d = 0; d < dimensions; ++d) {
        const Exact at = index(type->count, 1);
        indices += (d == 0 ? "" : apart ? "][" : ", ") + at.text;
        type = type->element;
        if (!at.meaning)
            meaning = {};
        if (meaning)
            meaning = [meaning, at = at.meaning, width = type->width](const Env& env) {
                return cut(meaning(env), static_cast<unsigned>(at(env)) * width, width);
            };
    }
    return {fmt::format("{}[{}]", in_parentheses(base, by_nothing), indices), type, meaning,
            by_nothing};
}

Term TermMaker::bit(const Term& base) {
    const Exact at = index(base.type->width, 1);
    m_.use(base.type->is_wide() ? Production::wide_bit : Production::bit);
    Meaning meaning;
    if (base.meaning && at.meaning)
        meaning = [a = base.meaning, at = at.meaning](const Env& env) {
            return truth(a(env)[static_cast<std::size_t>(at(env))]);
        };
    return {fmt::format("{}[{}]", in_parentheses(base, by_nothing), at.text), boolean(), meaning,
            by_nothing};
}

Term TermMaker::slice(const Term& base, unsigned width) {
    const unsigned low = c_.below(base.type->width - width + 1);
    m_.use(base.type->is_wide() ? Production::wide_slice
           : width == 1         ? Production::one_slice
                                : Production::slice);
    return {fmt::format("{}[{}:{}]", in_parentheses(base, by_nothing), low + width - 1, low),
            integer(width, false),
            meaning_of(base, [=](const Bits& a) { return cut(a, low, width); }), by_nothing};
}

Term TermMaker::conditional(const TypeOf& type, int depth) {
    m_.use(Production::conditional);
    // a number without a type takes the type of the other value, if that can be selected at all
    const std::optional<Term> open = c_.chance(30) ? open_condition() : std::nullopt;
    const Term first = open ? *open : condition(depth - 1), yes = term(type, depth - 1);
    std::vector<std::pair<Term, Term>> arms{{first, yes}};
    if (c_.chance(25)) {
        m_.use(Production::conditional_elif);
        arms.emplace_back(condition(depth - 1), term(type, depth - 1));
    }
    const bool bare = open && type->is_integer() && c_.chance(50);
    if (bare)
        m_.use(Production::bare_branch);
    const Term no = bare ? literal(type, true) : term(type, depth - 1);
    std::string text;
    bool known = static_cast<bool>(no.meaning);
    for (const auto& [when, value] : arms) {
        text += fmt::format("{} {} then {} ", text.empty() ? "if" : "elif", when.text,
                            in_parentheses(value, 1));
        known = known && when.meaning && value.meaning;
    }
    Meaning meaning;
    if (known)
        meaning = [arms, no](const Env& env) {
            for (const auto& [when, value] : arms)
                if (when.meaning(env)[0])
                    return value.meaning(env);
            return no.meaning(env);
        };
    return {text + "else " + no.text, type, meaning, 0};
}

/// Returns a condition that is not constant: whether a state has its first value.
std::optional<Term> TermMaker::open_condition() {
    for (const Name& name : names_.values)
        if (name.state && name.type->is_integer() && !name.type->is_wide())
            return Term{fmt::format("{} != 0", name.text), boolean(),
                        meaning_of(named(name), [](const Bits& a) { return truth(!is_zero(a)); }),
                        by_comparison};
    return std::nullopt;
}

std::optional<Term> TermMaker::function_call(const TypeOf& type, int depth) {
    std::vector<const FunctionText*> fitting;
    for (const FunctionText& function : names_.functions)
        if (same(*function.result, *type) && (!names_.known || function.meaning))
            fitting.push_back(&function);
    if (fitting.empty())
        return std::nullopt;
    m_.use(Production::function_call);
    const FunctionText& function = *m_.one_of(fitting);
    std::vector<Term> arguments;
    std::string text;
    bool known = static_cast<bool>(function.meaning);
    for (const TypeOf& parameter : function.parameters) {
        arguments.push_back(term(parameter, depth - 1));
        text += (text.empty() ? "" : ", ") + arguments.back().text;
        known = known && arguments.back().meaning;
    }
    Meaning meaning;
    if (known)
        meaning = [arguments, names = function.names, body = function.meaning](const Env& env) {
            Env inner{&env, {}};
            for (std::size_t k = 0; k < arguments.size(); ++k)
                inner.values[names[k]] = arguments[k].meaning(env);
            return body(inner);
        };
    return Term{fmt::format("{}({})", function.name, text), type, meaning, by_nothing};
}

Term TermMaker::random(const TypeOf& type) {
    m_.use(Production::random_value);
    std::string text = fmt::format("random({})", type->text);
    if (type->is_integer() && c_.chance(40)) {
        const std::string drawn = m_.fresh("n");
        text = fmt::format("({} {} where popcount({}) != 1)", text, drawn, drawn);
    }
    if (type->is_integer() && c_.chance(25))
        text = fmt::format("random(2, {}, 1, {}, 3, {})", text, literal(type, false).text,
                           literal(type, false).text);
    return {text, type, {}, by_nothing};
}

} // namespace sme::fuzz
