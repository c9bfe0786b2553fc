// SPDX-License-Identifier: Apache-2.0
//
// Matches, and their patterns.
#include <fmt/format.h>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Typed;

Term Translator::match(const Typed& typed) {
    const std::vector<expr::Rhs::Arm>& arms = typed.match->arms;
    Term subject = value(*typed.operands[0]);
    if (subject.is_typed() && subject.level != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<Term, Term>> options;
    Term last;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        if (!typed.operands[k + 1])
            continue;
        const Term chosen = value(*typed.operands[k + 1]);
        std::string test;
        for (const expr::Pattern& each : arms[k].patterns)
            if (const PatternText found = pattern(each, subject); !found.test.empty())
                test += (test.empty() ? "" : " || ") + found.test;
        if (arms[k].patterns.empty())
            last = chosen;
        else if (!test.empty())
            options.emplace_back(
                Term::of(Type::boolean(), test,
                         arms[k].patterns.size() > 1 ? Level::logical_or : Level::equality),
                chosen);
    }
    if (last.kind == Term::Kind::none && !options.empty()) { // what is no member takes the last arm
        last = options.back().second;
        options.pop_back();
    }
    return chain(options, last, typed.value);
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
                            width, mask, width, value),
                digits.find('?') != std::string::npos};
    }
    const expr::Ast& ast = *pattern.value;
    if (subject.type->kind() == TypeKind::enumeration)
        for (const Member& member : subject.type->members())
            if (member.name == ast.text) {
                const std::string name = module_.member(*subject.type, member.value);
                return {name, fmt::format("{} == {}", tested, name), false};
            }
    Term value = this->value(ast);
    if (value.known() && subject.kind == Term::Kind::exact &&
        (value.low < subject.low || value.low > subject.high))
        return {}; // another call may get here
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {text(value),
                value.literal == Integer{1} ? text(subject, Level::logical_or)
                                            : text(negated(subject)),
                false};
    return {text(value), fmt::format("{} == {}", tested, text(value, Level::equality)), false};
}

} // namespace sme::hdl
