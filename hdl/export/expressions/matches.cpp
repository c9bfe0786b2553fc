// SPDX-License-Identifier: Apache-2.0
//
// Matches, and their patterns.
#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Typed;

Term Translator::match(const Typed& typed) {
    const std::vector<expr::Rhs::Arm>& arms = typed.match->arms;
    Term subject = value(*typed.operands[0]);
    if (subject.is_typed() && subject.level() != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<Term, Term>> options;
    Term last;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        if (!typed.operands[k + 1])
            continue;
        const Term chosen = value(*typed.operands[k + 1]);
        ExprRef test;
        for (const expr::Pattern& each : arms[k].patterns)
            if (const Label found = pattern(each, subject); found.test)
                test = test ? rtl::binary("||", Level::logical_or, test, found.test) : found.test;
        if (arms[k].patterns.empty())
            last = chosen;
        else if (test)
            options.emplace_back(Term::of(Type::boolean(), test), chosen);
    }
    if (last.kind == Term::Kind::none && !options.empty()) { // what is no member takes the last arm
        last = options.back().second;
        options.pop_back();
    }
    return chain(options, last, typed.value);
}

Translator::Label Translator::pattern(const expr::Pattern& pattern, const Term& subject) {
    if (!subject.type)
        return {};
    const auto width = static_cast<unsigned>(subject.type->width_bits());
    const auto equals = [&](const ExprRef& value) {
        return rtl::binary("==", Level::equality, code(subject), value);
    };
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
        const ExprRef bits =
            subject.type->is_signed() ? rtl::as_unsigned(code(subject)) : code(subject);
        return {rtl::literal_of_digits(digits),
                rtl::binary("==", Level::equality,
                            rtl::binary("&", Level::bit_and, bits, rtl::literal_of_digits(mask)),
                            rtl::literal_of_digits(value)),
                digits.find('?') != std::string::npos};
    }
    const expr::Ast& ast = *pattern.value;
    if (subject.type->kind() == TypeKind::enumeration)
        for (const Member& member : subject.type->members())
            if (member.name == ast.text) {
                const ExprRef name = module_.member(*subject.type, member.value);
                return {name, equals(name), false};
            }
    Term value = this->value(ast);
    if (value.known() && subject.kind == Term::Kind::exact &&
        (value.low < subject.low || value.low > subject.high))
        return {}; // another call may get here
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {code(value), code(value.literal == Integer{1} ? subject : negated(subject)), false};
    return {code(value), equals(code(value)), false};
}

} // namespace sme::hdl
