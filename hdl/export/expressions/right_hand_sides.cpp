// SPDX-License-Identifier: Apache-2.0
//
// Right-hand sides that always have a value, as one expression: conditions become a chain of "?:".
#include <fmt/format.h>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Rhs;

Term Translator::value(const Rhs& rhs) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: return rhs.value ? value(*rhs.value) : Term{};
    case Rhs::Kind::first:
    case Rhs::Kind::choice: return rhs_list(rhs);
    case Rhs::Kind::match: return rhs_match(rhs);
    case Rhs::Kind::fields: break;
    }
    std::vector<Field> fields;
    std::vector<Term> parts;
    for (const auto& [name, where, field] : rhs.fields) {
        parts.push_back(value(field));
        if (!parts.back().is_typed())
            return {};
        fields.push_back({name, parts.back().type, 0});
    }
    return Term::of_parts(Type::structure("", std::move(fields)), std::move(parts));
}

Term Translator::rhs_list(const Rhs& rhs) {
    std::vector<std::pair<const expr::Ast*, const Rhs*>> entries;
    for (const Rhs& entry : rhs.list)
        entries.emplace_back(entry.when.get(), &entry);
    for (const Rhs::Arm& arm : rhs.arms)
        entries.emplace_back(arm.condition.get(), &arm.rhs);
    std::vector<std::pair<Term, Term>> options;
    for (const auto& [condition, entry] : entries) {
        const std::optional<bool> known =
            condition ? known_condition(*condition) : std::optional{true};
        if (known == false)
            continue;
        // the condition of an entry of a list is that of the list
        const Term chosen = entry->kind == Rhs::Kind::expression
                                ? (entry->value ? value(*entry->value) : Term{})
                                : value(*entry);
        if (known)
            return chain(options, chosen);
        options.emplace_back(value(*condition), chosen);
    }
    return chain(options, {});
}

Term Translator::rhs_match(const Rhs& rhs) {
    std::vector<const std::vector<expr::Pattern>*> arms;
    for (const Rhs::Arm& arm : rhs.arms)
        arms.push_back(&arm.patterns);
    const std::vector<bool> possible = possible_arms(*rhs.value, rhs.where, arms);
    Term subject = value(*rhs.value);
    if (subject.is_typed() && subject.level != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<Term, Term>> options;
    Term last;
    for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
        if (!possible[k])
            continue;
        const Term chosen = value(rhs.arms[k].rhs);
        std::string test;
        for (const expr::Pattern& each : rhs.arms[k].patterns)
            if (const PatternText found = pattern(each, subject); !found.test.empty())
                test += (test.empty() ? "" : " || ") + found.test;
        if (rhs.arms[k].patterns.empty())
            last = chosen;
        else if (!test.empty())
            options.emplace_back(
                Term::of(Type::boolean(), test,
                         rhs.arms[k].patterns.size() > 1 ? Level::logical_or : Level::equality),
                chosen);
    }
    if (last.kind == Term::Kind::none && !options.empty()) { // what is no member takes the last arm
        last = options.back().second;
        options.pop_back();
    }
    return chain(options, last);
}

Translator::PatternText Translator::pattern(const expr::Pattern& pattern, const Term& subject) {
    if (!subject.type)
        return {};
    const auto width = static_cast<unsigned>(subject.type->width_bits());
    const std::string tested = text(subject, Level::equality);
    if (!pattern.value) {
        std::string digits;
        for (unsigned bit = width; bit-- > 0;) {
            const bool open = bit < pattern.digits && (pattern.mask >> bit & 1) == 0;
            const bool set = bit < pattern.digits && (pattern.bits >> bit & 1) != 0;
            digits += open ? '?' : set ? '1' : '0';
        }
        std::string mask = digits, value = digits;
        for (std::size_t k = 0; k < digits.size(); ++k) {
            mask[k] = digits[k] == '?' ? '0' : '1';
            value[k] = digits[k] == '1' ? '1' : '0';
        }
        return {fmt::format("{}'b{}", width, digits),
                fmt::format("({} & {}'b{}) == {}'b{}",
                            subject.type->is_signed() ? "$unsigned(" + text(subject) + ")"
                                                      : text(subject, Level::bit_and),
                            width, mask, width, value)};
    }
    const expr::Ast& ast = *pattern.value;
    if (subject.type->kind() == TypeKind::enumeration)
        for (const Member& member : subject.type->members())
            if (member.name == ast.text) {
                const std::string name = module_.member(*subject.type, member.value);
                return {name, fmt::format("{} == {}", tested, name)};
            }
    Term value = this->value(ast);
    if (value.known() && subject.kind == Term::Kind::exact &&
        (value.low < subject.low || value.low > subject.high))
        return {}; // another call may get here
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {text(value),
                value.text == "1'b1" ? text(subject, Level::logical_or) : text(negated(subject))};
    return {text(value), fmt::format("{} == {}", tested, text(value, Level::equality))};
}

Term Translator::let_value(const expr::LetText& let) {
    if (let.ranges.empty())
        return value(let.rhs);
    std::vector<Term> terms;
    const auto bounds = ranges(let.ranges);
    for_each(bounds, [&] { terms.push_back(value(let.rhs)); });
    Term made = array_of(terms);
    if (!made.is_typed())
        return made;
    TypeRef type = made.type->element(); // a[i, j] is an array of rows
    for (std::size_t d = bounds.size(); d-- > 0;)
        type = Type::array(
            type, static_cast<std::uint64_t>(bounds[d].second.second - bounds[d].second.first));
    made.type = type;
    return made;
}

} // namespace sme::hdl
