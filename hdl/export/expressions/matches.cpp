// SPDX-License-Identifier: Apache-2.0
//
// Matches, and their patterns.
#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Typed;

/// Writes a block with a case, from which tools build one selection; they keep a chain of
/// selections as a chain.
Term Translator::cases(const Term& subject, std::vector<rtl::Statement::Arm> arms,
                       const Terms& chosen, const expr::Value& value, const std::string& hint) {
    const TypeRef type = value.is_exact() ? type_between(value.low, value.high) : value.type;
    const Term made = identifier(site_.names().take(hint), type);
    rtl::Statement all;
    all.kind = rtl::Statement::Kind::cases;
    all.value = code(subject);
    arms.back().is_last = true; // a value that is no member takes the last arm
    for (std::size_t k = 0; k < arms.size(); ++k) {
        arms[k].body = {rtl::Statement::assign(*made.place, code(fit(chosen[k], type)), false)};
        all.arms.push_back(std::move(arms[k]));
    }
    site_.add({declared(made.place->name, *type), true, 0, {}}, {std::move(all)});
    return value.is_exact() ? Term::between(made, value.low, value.high) : made;
}

Term Translator::match(const Typed& typed, const std::string& hint) {
    const std::vector<expr::Rhs::Arm>& arms = typed.match->arms;
    Term subject = value(*typed.operands[0]);
    if (subject.is_typed() && subject.level() != Level::primary)
        subject = placed(subject, "subject");
    std::vector<std::pair<Term, Term>> options;
    std::vector<rtl::Statement::Arm> labelled;
    Terms values;
    bool is_case = !site_.loops().is_open() && subject.place && !subject.place->is_integer &&
                   !subject.place->word;
    Term last;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        if (!typed.operands[k + 1])
            continue;
        const Term chosen = value(*typed.operands[k + 1]);
        ExprRef test;
        rtl::Statement::Arm arm;
        for (const expr::Pattern& each : arms[k].patterns)
            if (const Label found = pattern(each, subject); found.test) {
                test = test ? rtl::binary("||", Level::logical_or, test, found.test) : found.test;
                arm.labels.push_back(found.item);
                is_case = is_case && !found.open;
            }
        if (test || arms[k].patterns.empty()) {
            labelled.push_back(std::move(arm));
            values.push_back(chosen);
        }
        if (arms[k].patterns.empty())
            last = chosen;
        else if (test)
            options.emplace_back(Term::of(Type::boolean(), test), chosen);
    }
    constexpr std::size_t most = 3; // a chain of this many arms is as readable as a case
    const bool is_typed = typed.value.is_exact() || typed.value.kind == expr::Value::Kind::typed;
    if (is_case && is_typed && labelled.size() > most)
        return cases(subject, std::move(labelled), values, typed.value, hint);
    if (last.kind == Term::Kind::none && !options.empty()) { // a value that is no member takes the
                                                             // last arm
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
        return {}; // another call may reach this
    value = fit(value, subject.type);
    if (subject.type->kind() == TypeKind::boolean)
        return {code(value), code(value.literal == Integer{1} ? subject : negated(subject)), false};
    return {code(value), equals(code(value)), false};
}

} // namespace sme::hdl
