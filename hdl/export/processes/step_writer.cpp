// SPDX-License-Identifier: Apache-2.0
#include "export/processes/process_module.hpp"

#include <algorithm>

namespace sme::hdl {

using expr::Ast;
using expr::Rhs;
using expr::Statement;

rtl::Statements StepWriter::block(const expr::Block& block) {
    Statements made;
    for (const Statement& statement : block.statements)
        if (statement.kind == Statement::Kind::assign)
            add_statements(made, assign(statement));
    for (const Statement& statement : block.statements)
        if (statement.kind == Statement::Kind::choice)
            add_statements(made, choice(statement));
        else if (statement.kind == Statement::Kind::match)
            add_statements(made, match(statement));
    return made;
}

bool StepWriter::is_wanted(const Term& target) const {
    if (target.place)
        return variables_.count(target.place->name) > 0;
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const Term& part) { return is_wanted(part); });
}

rtl::Statements StepWriter::assign(const Statement& statement) {
    if (!statement.target)
        return {};
    if (const std::optional<Statement> words = site_.word_by_word(statement))
        return assign(*words);
    Statements made;
    const auto one = [&] {
        const Term target = site_.whole_target(*statement.target);
        if (is_wanted(target))
            append(made, offer(statement.rhs, target));
    };
    const expr::Unrolled ranges = site_.ranges(*statement.target);
    if (Translator::is_long(ranges.total())) {
        const std::vector<LoopRange> loops = translator_.open_loop(ranges.indices());
        one();
        Statements lines = translator_.close_loop(ranges.indices());
        if (!made.empty()) {
            append(lines, std::move(made));
            made = for_loops(loops, std::move(lines));
        }
    } else
        site_.for_each(ranges, one);
    if (made.empty())
        return made;
    std::vector<std::string> comments = comments_above(statement.where);
    if (const std::string behind = comment_behind(statement.where); !behind.empty())
        comments.push_back(behind);
    Statements all;
    add_comments(all, comments);
    append(all, std::move(made));
    return all;
}

rtl::Statements StepWriter::set(const Term& target, const Term& value) {
    Statements made;
    if (target.place) {
        if (is_wanted(target))
            made.push_back(
                rtl::Statement::assign(*target.place, Translator::code(value), clocked_));
        return made;
    }
    if (target.type->kind() == TypeKind::array && !target.parts.empty()) { // words of a memory
        const Place whole = *translator_.placed(value, "words").place;
        const std::uint64_t width = target.parts[0].type->width_bits();
        for (std::size_t word = 0; word < target.parts.size(); ++word)
            append(made, set(target.parts[word],
                             Term::at(target.parts[word].type, whole.part(word * width, width))));
        return made;
    }
    Term source = value;
    if (source.parts.empty())
        source = translator_.placed(source, "record");
    for (std::size_t k = 0; k < target.parts.size(); ++k)
        if (target.parts[k].kind != Term::Kind::none && is_wanted(target.parts[k]))
            append(made,
                   set(target.parts[k], translator_.field(source, target.type->fields()[k].name)));
    return made;
}

/// Returns the type of values for a target.
static TypeRef target_type(const Term& target) {
    return target.type && target.type->is_bundle() ? target.type->forward() : target.type;
}

rtl::Statements StepWriter::offer(const Rhs& rhs, const Term& target) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        if (!rhs.value || !is_wanted(target))
            return {};
        const std::optional<bool> known =
            rhs.when ? translator_.known_condition(*rhs.when) : std::optional{true};
        if (known == false)
            return {};
        Statements body;
        if (rhs.value->kind == Ast::Kind::fields)
            body = offer(expr::fields_of(*rhs.value), target);
        else {
            if (target.place)
                translator_.name_next(target.place->name + (clocked_ ? "_next" : "_value"));
            body = set(target, translator_.value_as(*rhs.value, target_type(target)));
        }
        if (known || body.empty())
            return body;
        return conditions({{rhs.when.get(), std::move(body)}});
    }
    case Rhs::Kind::first: {
        Bodies bodies;
        for (const Rhs& entry : rhs.list) {
            Rhs own = entry;
            own.when = nullptr;
            bodies.emplace_back(entry.when.get(), offer(own, target));
        }
        return conditions(std::move(bodies));
    }
    case Rhs::Kind::choice: {
        Bodies bodies;
        for (const Rhs::Arm& arm : rhs.arms)
            bodies.emplace_back(arm.condition.get(), offer(arm.rhs, target));
        return conditions(std::move(bodies));
    }
    case Rhs::Kind::match: {
        std::vector<CaseArm> arms;
        for (const Rhs::Arm& arm : rhs.arms)
            arms.push_back({&arm.patterns, [&] { return offer(arm.rhs, target); }, arm.where});
        return cases(*rhs.value, rhs.where, arms);
    }
    case Rhs::Kind::fields: break;
    }
    Statements made;
    for (const auto& [name, where, field] : rhs.fields)
        if (const Term part = translator_.field(target, name); part.kind != Term::Kind::none)
            append(made, offer(field, part));
    return made;
}

rtl::Statements StepWriter::conditions(Bodies bodies) {
    // the text after the last body with an effect has no effect
    std::size_t end = bodies.size();
    while (end > 0 && bodies[end - 1].second.empty())
        --end;
    std::vector<rtl::Statement::Arm> arms;
    for (std::size_t k = 0; k < end; ++k) {
        auto& [condition, body] = bodies[k];
        std::optional<bool> known =
            condition ? translator_.known_condition(*condition) : std::optional{true};
        ExprRef test;
        if (!known) {
            const Term value = translator_.value(*condition);
            if (value.is_literal()) // a comparison with the limit of a range
                known = *value.literal != 0;
            else
                test = Translator::code(value);
        }
        if (known == false)
            continue;
        if (known && arms.empty())
            return std::move(body);
        arms.push_back({std::move(test), {}, false, std::move(body)});
        if (known)
            break;
    }
    if (arms.empty())
        return {};
    return {rtl::Statement::chain(std::move(arms))};
}

rtl::Statements StepWriter::choice(const Statement& statement) {
    Bodies bodies;
    for (const Statement::Arm& arm : statement.arms) {
        const std::optional<bool> known =
            arm.condition ? translator_.known_condition(*arm.condition) : std::optional{true};
        bodies.emplace_back(arm.condition.get(), known == false ? Statements{} : block(arm.block));
        if (known == true)
            break;
    }
    return conditions(std::move(bodies));
}

rtl::Statements StepWriter::match(const Statement& statement) {
    if (!statement.subject)
        return {};
    std::vector<CaseArm> arms;
    for (const Statement::Arm& arm : statement.arms)
        arms.push_back({&arm.patterns, [&] { return block(arm.block); }, arm.where});
    return cases(*statement.subject, statement.where, arms);
}

rtl::Statements StepWriter::cases(const Ast& subject, const Location& where,
                                  const std::vector<CaseArm>& arms) {
    std::vector<const std::vector<expr::Pattern>*> patterns;
    for (const CaseArm& arm : arms)
        patterns.push_back(arm.patterns);
    const std::vector<bool> possible = translator_.possible_arms(subject, where, patterns);
    if (std::count(possible.begin(), possible.end(), true) == 1)
        return arms[static_cast<std::size_t>(std::find(possible.begin(), possible.end(), true) -
                                             possible.begin())]
            .body();
    const Term tested = translator_.value(subject);
    rtl::Statement made;
    made.kind = rtl::Statement::Kind::cases;
    bool any = false;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        rtl::Statement::Arm arm;
        for (const expr::Pattern& pattern : *arms[k].patterns) {
            const Translator::Label found = translator_.pattern(pattern, tested);
            if (found.item)
                arm.labels.push_back(found.item);
            made.is_open = made.is_open || found.open; // some pattern has don't-care bits
        }
        // a value that is no member of an enumeration takes the else, or the last arm
        arm.is_last = arms[k].patterns->empty() || k + 1 == arms.size();
        if (arm.labels.empty() && !arm.is_last)
            continue;
        arm.body = arms[k].body();
        any = any || !arm.body.empty();
        made.arms.push_back(std::move(arm));
    }
    if (!any)
        return {};
    made.value = Translator::code(tested);
    return {std::move(made)};
}

} // namespace sme::hdl
