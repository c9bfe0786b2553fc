// SPDX-License-Identifier: Apache-2.0
//
// Terms that are calls: built-in functions, casts, structs, arrays, and functions over a range.
#include <fmt/format.h>

#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

Term TermMaker::called(const TypeOf& type, int depth) {
    const unsigned which = c_.below(3);
    if (which == 0)
        return rotated(type, depth);
    const Term a = term(type, depth - 1);
    if (which == 1)
        return {fmt::format("reverse({})", a.text), type, meaning_of(a, reversed), by_nothing};
    const auto absolute = [is_signed = type->is_signed](const Bits& x) {
        return is_signed && x.back() ? negated(x) : x;
    };
    return {fmt::format("abs({})", a.text), type, meaning_of(a, absolute), by_nothing};
}

Term TermMaker::rotated(const TypeOf& type, int depth) {
    const bool left = c_.chance(50);
    const Term a = term(type, depth - 1);
    const Term by = c_.chance(30) ? literal_of(integer(6, false), bits_of(c_.word(), 6), true)
                                  : term(some_unsigned(10), depth - 1);
    const auto value = [left](const Bits& x, const Bits& y) {
        const std::uint64_t n = number_of(y) % x.size();
        return rotated_left(x, left ? n : x.size() - n);
    };
    return {fmt::format("{}({}, {})", left ? "rotl" : "rotr", a.text, by.text), type,
            meaning_of(a, by, value), by_nothing};
}

Term TermMaker::extreme(const TypeOf& type, int depth) {
    const bool largest = c_.chance(50);
    const Term a = term(type, depth - 1), b = operand(type, depth - 1);
    const auto value = [largest, is_signed = type->is_signed](const Bits& x, const Bits& y) {
        return is_less(x, y, is_signed) != largest ? x : y;
    };
    return {fmt::format("{}({}, {})", largest ? "max" : "min", a.text, b.text), type,
            meaning_of(a, b, value), by_nothing};
}

Term TermMaker::concatenated(const TypeOf& type, int depth) {
    if (type->is_signed || type->width < 2)
        return cast(type, depth);
    std::vector<Term> parts;
    std::string text;
    bool known = true;
    for (unsigned left = type->width; left != 0;) {
        const unsigned width = parts.size() == 4 ? left : c_.between(1, left);
        TypeOf part = integer(width, width <= 64 && c_.chance(30));
        for (const TypeOf& each : names_.types) // parts may also be structs, arrays and members
            if (each->width <= left && (parts.size() < 4 || each->width == left) && c_.chance(25))
                part = each;
        if (part->is_integer() && part->width == 1 && c_.chance(50))
            part = boolean();
        left -= part->width;
        parts.push_back(term(part, depth - 1));
        text += (text.empty() ? "" : ", ") + parts.back().text;
        known = known && parts.back().meaning;
    }
    Meaning meaning;
    if (known)
        meaning = [parts](const Env& env) {
            std::vector<Bits> values;
            for (const Term& part : parts)
                values.push_back(part.meaning(env));
            return joined(values);
        };
    return {fmt::format("cat({})", text), type, meaning, by_nothing};
}

/// T(x) of an integer of any width, a bool, or any other value with as many bits.
Term TermMaker::cast(const TypeOf& type, int depth) {
    TypeOf from = c_.chance(20) ? boolean() : some_integer();
    for (const TypeOf& each : names_.types)
        if (each->width == type->width && c_.chance(60))
            from = each;
    const Term a = term(from, depth - 1);
    const bool number = from->is_integer() || from->kind == Shape::Kind::boolean;
    m_.use(!number                              ? Production::packed_cast
           : type->is_wide() || from->is_wide() ? Production::wide_cast
                                                : Production::integer_cast);
    const auto value = [width = type->width, is_signed = from->is_signed](const Bits& x) {
        return resized(x, width, is_signed);
    };
    return {fmt::format("{}({})", type_text(type), a.text), type, meaning_of(a, value), by_nothing};
}

/// A struct, an array or an enumeration from its bits. It is not known which bits are a member of
/// an enumeration, so only networks that are not followed use them.
std::optional<Term> TermMaker::unpacked(const TypeOf& type, int depth) {
    if (type->is_scalar() && type->kind != Shape::Kind::enumeration)
        return std::nullopt;
    if (!type->named || type->width > 4096 || (names_.known && type->has_enumeration()))
        return std::nullopt;
    m_.use(Production::unpacked_cast);
    const Term a = term(integer(type->width, false), depth - 1);
    return Term{fmt::format("{}({})", type->text, a.text), type, a.meaning, by_nothing};
}

Term TermMaker::of_struct(const TypeOf& type, int depth) {
    const bool changes = depth > 0 && c_.chance(40);
    const bool map = !changes && c_.chance(40);
    m_.use(changes ? Production::update : map ? Production::construct_map : Production::construct);
    const Term old = changes ? term(type, depth - 1) : Term{};
    std::string text = old.text;
    bool known = !changes || old.meaning;
    std::vector<std::pair<unsigned, Term>> given;
    for (std::size_t k = 0; k < type->fields.size(); ++k) {
        const auto& [name, field] = type->fields[k];
        const bool last = k + 1 == type->fields.size() && given.empty();
        if (!last && field->has_zero() && c_.chance(30))
            continue;
        given.emplace_back(field_low(*type, k),
                           depth > 0 ? operand(field, depth - 1) : leaf(field));
        text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", name, map ? ":" : " =",
                            given.back().second.text);
        known = known && given.back().second.meaning;
    }
    Meaning meaning;
    if (known)
        meaning = [=, width = type->width](const Env& env) {
            Bits result = changes ? old.meaning(env) : Bits(width);
            for (const auto& [low, value] : given)
                put(result, low, value.meaning(env));
            return result;
        };
    return {fmt::format(fmt::runtime(map ? "{}({{{}}})" : "{}({})"), type->text, text), type,
            meaning, by_nothing};
}

TermMaker::Ranges TermMaker::ranges(unsigned most) {
    Ranges result;
    const unsigned count = most > 3 && c_.chance(30) ? 2 : 1;
    if (count == 2)
        m_.use(Production::two_ranges);
    for (unsigned k = 0; k < count; ++k) {
        const unsigned size = c_.between(1, count == 2 ? 3 : std::min(most, 6u));
        result.names.push_back(m_.fresh("n"));
        result.counts.push_back(size);
        result.total *= size;
        result.text += fmt::format("{} < {}, ", result.names.back(), size);
        names_.exact.push_back({result.names.back(),
                                [name = result.names.back()](const Env& env) {
                                    return static_cast<std::int64_t>(number_of(env.at(name)));
                                },
                                0, std::int64_t{size} - 1});
    }
    return result;
}

void TermMaker::leave(const Ranges& ranges) {
    names_.exact.resize(names_.exact.size() - ranges.names.size());
}

void TermMaker::over(const Ranges& ranges, const Env& env,
                     const std::function<void(const Env&)>& visit) {
    Env inner{&env, {}};
    for (unsigned step = 0; step < ranges.total; ++step) {
        unsigned rest = step;
        for (std::size_t d = ranges.counts.size(); d-- > 0;) {
            inner.values[ranges.names[d]] = bits_of(rest % ranges.counts[d], 32);
            rest /= ranges.counts[d];
        }
        visit(inner);
    }
}

/// Over one range; every other array of even length over two ranges.
Term TermMaker::of_array(const TypeOf& type, int depth) {
    Ranges range;
    range.total = type->count;
    range.names = {m_.fresh("n")};
    range.counts = {type->count};
    if (type->count > 2 && type->count % 2 == 0 && range.names[0].back() % 2 == 0) {
        range.names.push_back(m_.fresh("n"));
        range.counts = {type->count / 2, 2};
    }
    for (std::size_t d = 0; d < range.names.size(); ++d) {
        const std::string& index = range.names[d];
        names_.exact.push_back({index,
                                [index](const Env& env) {
                                    return static_cast<std::int64_t>(number_of(env.at(index)));
                                },
                                0, std::int64_t{range.counts[d]} - 1});
        range.text += fmt::format("{} < {}, ", index, range.counts[d]);
    }
    const Term body = depth > 0 ? term(type->element, depth - 1) : leaf(type->element);
    leave(range);
    Meaning meaning;
    if (body.meaning)
        meaning = [range, body](const Env& env) {
            Bits result;
            over(range, env, [&](const Env& inner) {
                const Bits element = body.meaning(inner);
                result.insert(result.end(), element.begin(), element.end());
            });
            return result;
        };
    return {fmt::format("array({}{})", range.text, body.text), type, meaning, by_nothing};
}

Term TermMaker::fold(const TypeOf& type, int depth) {
    const Term start = term(type, depth - 1);
    const std::string carried = m_.fresh("acc");
    const Ranges range = ranges(4);
    names_.values.push_back({carried, type, true});
    const Term body = term(type, depth - 1);
    names_.values.pop_back();
    leave(range);
    Meaning meaning;
    if (start.meaning && body.meaning)
        meaning = [=](const Env& env) {
            Bits value = start.meaning(env);
            over(range, env, [&](const Env& inner) {
                Env both{&inner, {}};
                both.values[carried] = value;
                value = body.meaning(both);
            });
            return value;
        };
    return {fmt::format("fold({}{} = {}, {})", range.text, carried, start.text, body.text), type,
            meaning, by_nothing};
}

Term TermMaker::any_or_all(int depth) {
    const bool all = c_.chance(50);
    const Ranges range = ranges(6);
    const Term body = condition(depth - 1);
    leave(range);
    Meaning meaning;
    if (body.meaning)
        meaning = [=](const Env& env) {
            bool found = all;
            over(range, env, [&](const Env& inner) {
                const bool value = body.meaning(inner)[0];
                found = all ? found && value : found || value;
            });
            return truth(found);
        };
    return {fmt::format("{}({}{})", all ? "all" : "any", range.text, body.text), boolean(), meaning,
            by_nothing};
}

Term TermMaker::reduced(const TypeOf& type, int depth) {
    constexpr const char* names[] = {"sum", "xor", "min", "max", "cat"};
    unsigned which = c_.below(5);
    if (which == 4 && (type->is_signed || type->width % 2 != 0))
        which = 0;
    const unsigned parts = which == 4 ? (type->width % 4 == 0 ? 4 : 2) : 0;
    const TypeOf element = which == 4 ? integer(type->width / parts, false) : type;
    Ranges range = ranges(which == 4 ? 1 : 6);
    if (which == 4) {
        range.counts[0] = range.total = parts;
        range.text = fmt::format("{} < {}, ", range.names[0], parts);
        names_.exact.back().high = std::int64_t{parts} - 1;
    }
    const Term body = term(element, depth - 1);
    leave(range);
    const auto combine = [which, is_signed = type->is_signed](const Bits& x, const Bits& y) {
        switch (which) {
        case 0: return added(x, y);
        case 1: return bitwise('^', x, y);
        case 2: return is_less(y, x, is_signed) ? y : x;
        case 3: return is_less(x, y, is_signed) ? y : x;
        default: return joined({y, x}); // element 0 rightmost
        }
    };
    Meaning meaning;
    if (body.meaning)
        meaning = [=](const Env& env) {
            Bits value;
            over(range, env, [&](const Env& inner) {
                const Bits next = body.meaning(inner);
                value = value.empty() ? next : combine(value, next);
            });
            return value;
        };
    return {fmt::format("{}({}{})", names[which], range.text, body.text), type, meaning,
            by_nothing};
}

/// Functions that return an integer without a type.
Exact TermMaker::counted(int depth) {
    const unsigned which = c_.below(6);
    if (which < 2) {
        const Ranges range = ranges(which == 1 ? 1 : 6);
        const Term body = condition(depth - 1);
        leave(range);
        std::function<std::int64_t(const Env&)> meaning;
        if (body.meaning)
            meaning = [=](const Env& env) {
                std::int64_t found = 0, step = 0;
                bool any = false;
                over(range, env, [&](const Env& inner) {
                    const bool holds = body.meaning(inner)[0];
                    found += which == 0 ? holds : !any && !holds;
                    any = any || holds;
                    ++step;
                });
                return found;
            };
        return {fmt::format("{}({}{})", which == 0 ? "count" : "first", range.text, body.text),
                meaning, 0, range.total};
    }
    if (which == 2) {
        const auto n = static_cast<std::int64_t>(c_.between(1, 300));
        std::int64_t bits = 0;
        while ((std::int64_t{1} << bits) < n)
            ++bits;
        return {fmt::format("clog2({})", n), [bits](const Env&) { return bits; }, bits, bits};
    }
    if (which == 3) {
        const Term a = leaf(some_integer());
        const std::int64_t width = a.type->width;
        return {fmt::format("width({})", a.text), [width](const Env&) { return width; }, width,
                width};
    }
    if (which == 4)
        for (const Name& name : names_.values)
            if (name.type->kind == Shape::Kind::array && c_.chance(70)) {
                const std::int64_t length = name.type->count;
                return {fmt::format("len({})", name.text), [length](const Env&) { return length; },
                        length, length};
            }
    const Term a = term(some_integer(), depth - 1);
    std::function<std::int64_t(const Env&)> meaning;
    if (a.meaning)
        meaning = [x = a.meaning](const Env& env) { return std::int64_t{ones(x(env))}; };
    return {fmt::format("popcount({})", a.text), meaning, 0, std::int64_t{a.type->width}};
}

Term TermMaker::of_exact(const TypeOf& type, int depth) {
    const Exact number = c_.chance(40) ? counted(depth) : exact(depth);
    m_.use(number.low == number.high ? Production::parameter_value : Production::index_value);
    Meaning meaning;
    if (number.meaning)
        meaning = [width = type->width, x = number.meaning](const Env& env) {
            return resized(bits_of(static_cast<std::uint64_t>(x(env)), 64), width, true);
        };
    return {fmt::format("{}({})", type_text(type), number.text), type, meaning, by_nothing};
}

} // namespace sme::fuzz
