// SPDX-License-Identifier: Apache-2.0
//
// Right-hand sides, lets and steps as YAML.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "yaml/print/text_printer.hpp"

namespace sme::yaml {

namespace {

bool is_simple(const Document& value) {
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.';
    };
    return value.is_text() ? std::all_of(value.text.begin(), value.text.end(), is_word)
                           : value.flow;
}

/// Returns "if c" or "elif c"; a duplicate key in the map gets one more pair of parentheses.
std::string condition_key(const Document& map, std::string_view word, std::string condition) {
    std::string key = fmt::format("{} {}", word, condition);
    while (map.has(key)) {
        condition = fmt::format("({})", condition);
        key = fmt::format("{} {}", word, condition);
    }
    return key;
}

} // namespace

/// Returns the key of an arm of a choice; the first in its map begins with 'if'.
template <class Arm> std::string TextPrinter::arm_key(const Document& map, const Arm& arm) {
    if (!arm.condition)
        return "else";
    return condition_key(map, map.empty() ? "if" : "elif", print(*arm.condition));
}

Document TextPrinter::rhs(const expr::Rhs& rhs) {
    using Kind = expr::Rhs::Kind;
    Document made = rhs.kind == Kind::first ? Document::list() : Document::map();
    switch (rhs.kind) {
    case Kind::expression:
        return Document::of(print(expr::Guarded{.value = rhs.value, .when = rhs.when}));
    case Kind::first:
        for (const expr::Rhs& item : rhs.list)
            made.push(this->rhs(item));
        break;
    case Kind::fields:
        for (const expr::Rhs::FieldRhs& field : rhs.fields)
            made.set(field.name, this->rhs(field.rhs));
        made.flow = std::all_of(made.entries.begin(), made.entries.end(),
                                [](const auto& entry) { return is_simple(entry.value); });
        break;
    case Kind::choice:
        for (const expr::Rhs::Arm& arm : rhs.arms)
            made.set(arm_key(made, arm), this->rhs(arm.rhs));
        break;
    case Kind::match: {
        Document arms = Document::map();
        for (const expr::Rhs::Arm& arm : rhs.arms)
            arms.set(print(arm.patterns), this->rhs(arm.rhs));
        made.set("match " + print(*rhs.value), std::move(arms));
        break;
    }
    }
    return made;
}

Document TextPrinter::let(const std::vector<expr::LetText>& lets) {
    Document made = Document::map();
    for (const expr::LetText& let : lets)
        made.set(print(expr::FamilyName{{}, let.name, let.ranges}), rhs(let.rhs));
    return made;
}

/// Returns the entries of a statement in a map.
Document TextPrinter::entries(const expr::Statement& statement) {
    using Kind = expr::Statement::Kind;
    Document added = Document::map();
    switch (statement.kind) {
    case Kind::assign: added.set(print_target(*statement.target), rhs(statement.rhs)); break;
    case Kind::assertion: added.set("assert", rhs(statement.rhs)); break;
    case Kind::print: {
        Document line = Document::of(print(expr::PrintText{statement.pieces, statement.rhs.when}));
        line.raw = true; // quotes followed by a condition
        added.set("print", std::move(line));
        break;
    }
    case Kind::halt: added.set("halt", rhs(statement.rhs)); break;
    case Kind::choice:
        for (const expr::Statement::Arm& arm : statement.arms)
            added.set(arm_key(added, arm), step(arm.block));
        break;
    case Kind::match: {
        Document arms = Document::map();
        for (const expr::Statement::Arm& arm : statement.arms)
            arms.set(print(arm.patterns), step(arm.block));
        added.set("match " + print(*statement.subject), std::move(arms));
        break;
    }
    }
    return added;
}

Document TextPrinter::step(const expr::Block& block) {
    Document list = Document::list(), map = Document::map();
    std::set<std::string> keys; // keys in the map: a second "else" needs another map
    for (const expr::Statement& statement : block.statements) {
        Document added = entries(statement);
        if (std::any_of(added.entries.begin(), added.entries.end(),
                        [&](const auto& entry) { return keys.count(entry.key) > 0; })) {
            list.push(std::exchange(map, Document::map()));
            keys.clear();
        }
        for (auto& [key, value] : added.entries) {
            keys.insert(key);
            map.set(std::move(key), std::move(value));
        }
    }
    if (list.empty())
        return map;
    list.push(std::move(map));
    return list;
}

} // namespace sme::yaml
