// SPDX-License-Identifier: Apache-2.0
#include "yaml/channels/sends.hpp"

#include <utility>

#include <fmt/format.h>

#include "yaml/channels/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Rhs;
using expr::Statement;

const Ast& base_of(const Ast& target) {
    const Ast* base = &target;
    while (base->kind == Ast::Kind::index || base->kind == Ast::Kind::slice ||
           base->kind == Ast::Kind::field)
        base = base->operands[0].get();
    return *base;
}

namespace {

bool is_literal(const AstRef& condition, bool value) {
    return condition && condition->kind == Ast::Kind::boolean && (condition->value != 0) == value;
}

/// Returns a or b, for conditions that may be `true`.
AstRef any_of(AstRef a, AstRef b) {
    return is_literal(a, true) ? a : is_literal(b, true) ? b : or_tree(std::move(a), std::move(b));
}

} // namespace

/// Returns if c1 then v1 elif c2 then v2 else v3.
template <class Arms, class Of>
AstRef Sends::chosen(const Arms& arms, const Location& where, Of of) {
    std::vector<std::pair<AstRef, AstRef>> values;
    bool any = false;
    for (const auto& arm : arms) {
        if (is_literal(arm.condition, false))
            continue;
        const bool last = is_literal(arm.condition, true);
        AstRef value = of(arm);
        any = any || value;
        values.emplace_back(last ? nullptr : arm.condition,
                            value ? value : bool_tree(false, where));
        if (last)
            break;
    }
    if (!any)
        return nullptr;
    if (values.size() == 1 && !values[0].first)
        return values[0].second;
    if (values.back().first)
        values.emplace_back(nullptr, bool_tree(false, where));
    return choice_tree(values, where);
}

/// Adds a separate let with the arms of the match.
template <class Arms, class Of>
AstRef Sends::matched(const AstRef& subject, const Arms& arms, const Location& where, Of of) {
    Rhs match;
    match.kind = Rhs::Kind::match;
    match.where = where;
    match.value = subject;
    bool any = false;
    for (const auto& arm : arms) {
        AstRef value = of(arm);
        any = any || value;
        Rhs sends;
        sends.where = arm.where;
        sends.value = value ? value : bool_tree(false, arm.where);
        match.arms.push_back({nullptr, arm.patterns, arm.where, std::move(sends)});
    }
    if (!any)
        return nullptr;
    const std::string name = fmt::format("{}.sends.{}", output_, matches_++);
    lets_.push_back({name, std::move(match), where, {}, true});
    return name_tree(name, where);
}

AstRef Sends::has_value(const Rhs& rhs) {
    AstRef any;
    switch (rhs.kind) {
    case Rhs::Kind::expression:
        return !rhs.when                     ? bool_tree(true, rhs.where)
               : is_literal(rhs.when, false) ? nullptr
                                             : rhs.when;
    case Rhs::Kind::first:
        for (const Rhs& entry : rhs.list)
            any = any_of(any, has_value(entry));
        return any;
    case Rhs::Kind::fields:
        for (const Rhs::FieldRhs& field : rhs.fields)
            any = any_of(any, has_value(field.rhs));
        return any;
    case Rhs::Kind::choice:
        return chosen(rhs.arms, rhs.where, [&](const Rhs::Arm& arm) { return has_value(arm.rhs); });
    case Rhs::Kind::match:
        return matched(rhs.value, rhs.arms, rhs.where,
                       [&](const Rhs::Arm& arm) { return has_value(arm.rhs); });
    }
    return any;
}

AstRef Sends::of(const Statement& statement) {
    const auto inside = [&](const Statement::Arm& arm) { return when(arm.block); };
    switch (statement.kind) {
    case Statement::Kind::assign:
        return statement.target && base_of(*statement.target).text == output_
                   ? has_value(statement.rhs)
                   : nullptr;
    case Statement::Kind::choice: return chosen(statement.arms, statement.where, inside);
    case Statement::Kind::match:
        return matched(statement.subject, statement.arms, statement.where, inside);
    case Statement::Kind::assertion:
    case Statement::Kind::halt:
    case Statement::Kind::print: break;
    }
    return nullptr;
}

AstRef Sends::when(const expr::Block& block) {
    AstRef any;
    for (const Statement& statement : block.statements)
        any = any_of(any, of(statement));
    return any;
}

} // namespace sme::yaml
