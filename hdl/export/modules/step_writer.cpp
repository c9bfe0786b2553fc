// SPDX-License-Identifier: Apache-2.0
#include "export/modules/step_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/condition_chain.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::Rhs;
using expr::Statement;

namespace {

std::string deeper(const std::string& indent) {
    return indent + "    ";
}

/// Lines without an indentation that all of them have.
std::string unindented(const std::string& lines, const std::string& indent) {
    std::string made;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size() - 1) + 1;
        const std::string line = lines.substr(begin, end - begin);
        made += line.starts_with(indent) ? line.substr(indent.size()) : line;
        begin = end;
    }
    return made;
}

/// "begin … end" around a body of several lines.
std::string enclosed(const std::string& head, const std::string& body, const std::string& indent) {
    return fmt::format("{}{} begin\n{}{}end\n", indent, head, body, indent);
}

} // namespace

std::string StepWriter::block(const expr::Block& block, const std::string& indent) {
    std::string made;
    for (const Statement& statement : block.statements)
        if (statement.kind == Statement::Kind::assign)
            add_statements(made, assign(statement, indent), indent);
    for (const Statement& statement : block.statements)
        if (statement.kind == Statement::Kind::choice)
            add_statements(made, choice(statement, indent), indent);
        else if (statement.kind == Statement::Kind::match)
            add_statements(made, match(statement, indent), indent);
    return made;
}

bool StepWriter::is_wanted(const Term& target) const {
    if (target.place)
        return variables_.count(target.place->name) > 0;
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const Term& part) { return is_wanted(part); });
}

std::string StepWriter::assign(const Statement& statement, const std::string& indent) {
    if (!statement.target)
        return {};
    if (const std::optional<Statement> words = site_.word_by_word(statement))
        return assign(*words, indent);
    std::string made;
    const auto one = [&] {
        const Term target = site_.whole_target(*statement.target);
        if (is_wanted(target))
            made += offer(statement.rhs, target, indent);
    };
    const expr::Unrolled ranges = site_.ranges(*statement.target);
    if (Translator::is_long(ranges.total())) {
        const std::vector<LoopRange> loops = translator_.open_loop(ranges.indices());
        one();
        const std::string lines = translator_.close_loop(ranges.indices());
        if (!made.empty())
            made = indented(for_loops(loops, lines + unindented(made, indent)), indent);
    } else
        site_.for_each(ranges, one);
    if (made.empty())
        return made;
    const std::string behind = comment_behind(statement.where);
    std::string above = comment_lines(comments_above(statement.where), indent);
    if (!behind.empty())
        above += indent + "// " + behind + "\n";
    return above + made;
}

std::string StepWriter::set(const Term& target, const Term& value, const std::string& indent) {
    if (target.place)
        return is_wanted(target) ? fmt::format("{}{} {} {};\n", indent, target.place->text(),
                                               clocked_ ? "<=" : "=", translator_.text(value))
                                 : std::string{};
    std::string made;
    if (target.type->kind() == TypeKind::array && !target.parts.empty()) { // words of a memory
        const Place whole = *translator_.placed(value, "words").place;
        const std::uint64_t width = target.parts[0].type->width_bits();
        for (std::size_t word = 0; word < target.parts.size(); ++word)
            made += set(target.parts[word],
                        Term::at(target.parts[word].type, whole.part(word * width, width)), indent);
        return made;
    }
    Term source = value;
    if (source.parts.empty())
        source = translator_.placed(source, "record");
    for (std::size_t k = 0; k < target.parts.size(); ++k)
        if (target.parts[k].kind != Term::Kind::none && is_wanted(target.parts[k]))
            made += set(target.parts[k], translator_.field(source, target.type->fields()[k].name),
                        indent);
    return made;
}

/// The type that a target takes.
static TypeRef target_type(const Term& target) {
    return target.type && target.type->is_bundle() ? target.type->forward() : target.type;
}

std::string StepWriter::offer(const Rhs& rhs, const Term& target, const std::string& indent) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        if (!rhs.value || !is_wanted(target))
            return {};
        const std::optional<bool> known =
            rhs.when ? translator_.known_condition(*rhs.when) : std::optional{true};
        if (known == false)
            return {};
        const std::string inner = known ? indent : deeper(indent);
        std::string body =
            rhs.value->kind == Ast::Kind::fields
                ? offer(expr::fields_of(*rhs.value), target, inner)
                : set(target, translator_.value_as(*rhs.value, target_type(target)), inner);
        if (known || body.empty())
            return body;
        return conditions({{rhs.when.get(), body}}, indent);
    }
    case Rhs::Kind::first: {
        Bodies bodies;
        for (const Rhs& entry : rhs.list) {
            Rhs own = entry;
            own.when = nullptr;
            bodies.emplace_back(entry.when.get(), offer(own, target, deeper(indent)));
        }
        return conditions(bodies, indent);
    }
    case Rhs::Kind::choice: {
        Bodies bodies;
        for (const Rhs::Arm& arm : rhs.arms)
            bodies.emplace_back(arm.condition.get(), offer(arm.rhs, target, deeper(indent)));
        return conditions(bodies, indent);
    }
    case Rhs::Kind::match: {
        std::vector<CaseArm> arms;
        for (const Rhs::Arm& arm : rhs.arms)
            arms.push_back({&arm.patterns,
                            [&](const std::string& inner) { return offer(arm.rhs, target, inner); },
                            arm.where});
        return cases(*rhs.value, rhs.where, arms, indent);
    }
    case Rhs::Kind::fields: break;
    }
    std::string made;
    for (const auto& [name, where, field] : rhs.fields)
        if (const Term part = translator_.field(target, name); part.kind != Term::Kind::none)
            made += offer(field, part, indent);
    return made;
}

std::string StepWriter::conditions(const Bodies& bodies, const std::string& indent) {
    // what comes after the last body that does something does nothing
    std::size_t end = bodies.size();
    while (end > 0 && bodies[end - 1].second.empty())
        --end;
    std::string made;
    bool open = false;
    for (std::size_t k = 0; k < end; ++k) {
        const auto& [condition, body] = bodies[k];
        const std::optional<bool> known =
            condition ? translator_.known_condition(*condition) : std::optional{true};
        if (known == false)
            continue;
        std::string head;
        if (!known)
            head = fmt::format("if ({})", translator_.text(translator_.value(*condition)));
        if (!open && known)
            return body; // indented once too deep, which is harmless
        const std::string part = enclosed(head, body, indent);
        if (open) {
            made.erase(made.size() - 1); // behind "end"
            made += (known ? " else" : " else ") + part.substr(indent.size());
        } else
            made = part;
        open = true;
        if (known)
            break;
    }
    return made;
}

std::string StepWriter::choice(const Statement& statement, const std::string& indent) {
    Bodies bodies;
    for (const Statement::Arm& arm : statement.arms) {
        const std::optional<bool> known =
            arm.condition ? translator_.known_condition(*arm.condition) : std::optional{true};
        bodies.emplace_back(arm.condition.get(),
                            known == false ? std::string{} : block(arm.block, deeper(indent)));
        if (known == true)
            break;
    }
    return conditions(bodies, indent);
}

std::string StepWriter::match(const Statement& statement, const std::string& indent) {
    if (!statement.subject)
        return {};
    std::vector<CaseArm> arms;
    for (const Statement::Arm& arm : statement.arms)
        arms.push_back({&arm.patterns,
                        [&](const std::string& inner) { return block(arm.block, inner); },
                        arm.where});
    return cases(*statement.subject, statement.where, arms, indent);
}

std::string StepWriter::cases(const Ast& subject, const Location& where,
                              const std::vector<CaseArm>& arms, const std::string& indent) {
    std::vector<const std::vector<expr::Pattern>*> patterns;
    for (const CaseArm& arm : arms)
        patterns.push_back(arm.patterns);
    const std::vector<bool> possible = translator_.possible_arms(subject, where, patterns);
    if (std::count(possible.begin(), possible.end(), true) == 1)
        return arms[static_cast<std::size_t>(std::find(possible.begin(), possible.end(), true) -
                                             possible.begin())]
            .body(indent);
    const Term tested = translator_.value(subject);
    bool open = false; // some pattern has bits that do not matter
    std::string items;
    bool any = false;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        std::string labels;
        for (const expr::Pattern& pattern : *arms[k].patterns) {
            const Translator::PatternText found = translator_.pattern(pattern, tested);
            labels += (labels.empty() || found.item.empty() ? "" : ", ") + found.item;
            open = open || found.open;
        }
        // what is no member of an enumeration takes the else, or the last arm
        const bool last = arms[k].patterns->empty() || k + 1 == arms.size();
        if (labels.empty() && !last)
            continue;
        const std::string inner = deeper(deeper(indent));
        const std::string body = arms[k].body(inner);
        any = any || !body.empty();
        const std::string label =
            last ? (labels.empty() ? "default" : "default /* " + labels + " */") : labels;
        items += body.empty() ? fmt::format("{}{}: ;\n", deeper(indent), label)
                              : enclosed(label + ":", body, deeper(indent));
    }
    if (!any)
        return {};
    return fmt::format("{0}{1} ({2})\n{3}{0}endcase\n", indent, open ? "casez" : "case",
                       translator_.text(tested), items);
}

} // namespace sme::hdl
