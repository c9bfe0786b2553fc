// SPDX-License-Identifier: Apache-2.0
#include "yaml/statements.hpp"

#include <fmt/format.h>

#include "expr/lexer.hpp"
#include "expr/parser.hpp"
#include "yaml/keys.hpp"

namespace sme::yaml {

expr::Text tail(const expr::Text& text, std::size_t begin) {
    return {text.source,
            text.text.substr(begin),
            {text.offsets.begin() + static_cast<std::ptrdiff_t>(begin), text.offsets.end()}};
}

namespace {

/// "if c", "elif c" or "else" as a key.
struct ArmKey {
    enum class Kind : std::uint8_t { none, on_if, on_elif, on_else };
    Kind kind = Kind::none;
    expr::Text condition;
};

ArmKey arm_key(const Node& key) {
    const std::string& text = key.text.text;
    const auto begins = [&](std::string_view word) {
        return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ' ||
                                          text[word.size()] == '(' || text[word.size()] == '\n');
    };
    if (begins("if"))
        return {ArmKey::Kind::on_if, tail(key.text, 2)};
    if (begins("elif"))
        return {ArmKey::Kind::on_elif, tail(key.text, 4)};
    if (text == "else")
        return {ArmKey::Kind::on_else, {}};
    return {};
}

bool is_choice(const Node& map) {
    return !map.entries.empty() && arm_key(map.entries[0].key).kind != ArmKey::Kind::none;
}

/// Reads the condition of an arm; null for else. False when it is broken or stands alone.
bool read_condition(const Node& key, const ArmKey& arm, bool has_if, expr::AstRef& condition,
                    Diagnostics& diagnostics) {
    if (arm.kind != ArmKey::Kind::on_if && !has_if) {
        diagnostics.add(Code::else_without_if, key.where,
                        fmt::format("'{}' has no 'if' before it",
                                    arm.kind == ArmKey::Kind::on_else ? "else" : "elif"));
        return false;
    }
    if (arm.kind == ArmKey::Kind::on_else)
        return true;
    condition = expr::parse_expression(arm.condition, diagnostics);
    return condition != nullptr;
}

expr::Rhs read_choice(const Node& node, Diagnostics& diagnostics) {
    expr::Rhs rhs;
    rhs.kind = expr::Rhs::Kind::choice;
    rhs.where = node.where;
    for (const auto& [key, value] : node.entries) {
        const ArmKey arm = arm_key(key);
        if (arm.kind == ArmKey::Kind::none ||
            (arm.kind == ArmKey::Kind::on_if && !rhs.arms.empty()) ||
            (!rhs.arms.empty() && !rhs.arms.back().condition)) {
            diagnostics.add(Code::else_without_if, key.where,
                            "a choice is one 'if', any number of 'elif' and at most one 'else', in "
                            "this order");
            return {};
        }
        expr::AstRef condition;
        if (read_condition(key, arm, !rhs.arms.empty(), condition, diagnostics))
            rhs.arms.push_back({std::move(condition), read_rhs(value, diagnostics)});
    }
    return rhs;
}

class StepReader {
public:
    explicit StepReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    expr::Block read(const Node& node) {
        expr::Block block;
        if (node.is_list()) {
            for (const Node& item : node.items)
                if (item.is_map())
                    read_map(item, block);
                else
                    wrong_shape(item, "a map of targets", diagnostics_);
        } else if (node.is_map())
            read_map(node, block);
        else
            wrong_shape(node, "a map of targets, or {} for nothing", diagnostics_);
        return block;
    }

private:
    void read_map(const Node& map, expr::Block& block) {
        expr::Statement* chain = nullptr; // an if that elif and else may follow
        std::size_t index = 0;
        for (const auto& [key, value] : map.entries) {
            const ArmKey arm = arm_key(key);
            if (arm.kind == ArmKey::Kind::none) {
                chain = nullptr;
                block.statements.push_back(read_line(key, value));
                continue;
            }
            expr::AstRef condition;
            if (!read_condition(key, arm, chain != nullptr, condition, diagnostics_))
                continue;
            if (arm.kind == ArmKey::Kind::on_if) {
                index = block.statements.size();
                expr::Statement& made = block.statements.emplace_back();
                made.kind = expr::Statement::Kind::choice;
                made.where = key.where;
            }
            chain = &block.statements[index];
            chain->arms.push_back({std::move(condition), read(value)});
            if (arm.kind == ArmKey::Kind::on_else)
                chain = nullptr;
        }
    }

    expr::Statement read_line(const Node& key, const Node& value) {
        expr::Statement made;
        made.where = key.where;
        const std::string& text = key.text.text;
        if (text == "halt")
            made.kind = expr::Statement::Kind::halt;
        else if (text == "assert")
            made.kind = expr::Statement::Kind::assertion;
        else if (text == "match" || text.starts_with("match ") || text == "print") {
            diagnostics_.add(
                Code::unknown_key, key.where,
                fmt::format("'{}' is not part of the language yet; {}",
                            text.substr(0, text.find(' ')),
                            text == "print" ? "trace the bus instead" : "write if, elif and else"));
            made.kind = expr::Statement::Kind::choice;
            return made;
        } else
            made.target = expr::parse_expression(key.text, diagnostics_);
        made.rhs = read_rhs(value, diagnostics_);
        return made;
    }

    Diagnostics& diagnostics_;
};

} // namespace

expr::Rhs read_rhs(const Node& node, Diagnostics& diagnostics) {
    expr::Rhs rhs;
    rhs.where = node.where;
    switch (node.kind) {
    case Node::Kind::null: wrong_shape(node, "an expression", diagnostics); return rhs;
    case Node::Kind::text:
        if (const auto guarded = expr::parse_guarded(node.text, diagnostics)) {
            rhs.value = guarded->value;
            rhs.when = guarded->when;
        }
        return rhs;
    case Node::Kind::list:
        rhs.kind = expr::Rhs::Kind::first;
        for (const Node& item : node.items) {
            rhs.list.push_back(read_rhs(item, diagnostics));
            const bool conditional = rhs.list.back().when != nullptr;
            if (!conditional && &item != &node.items.back() && rhs.list.back().value)
                diagnostics.add(Code::unused, item.where,
                                "this always holds, so what follows is never chosen");
        }
        if (node.items.empty())
            diagnostics.add(Code::wrong_shape, node.where,
                            "a conditional list has at least one entry");
        return rhs;
    case Node::Kind::map: break;
    }
    if (is_choice(node))
        return read_choice(node, diagnostics);
    rhs.kind = expr::Rhs::Kind::fields;
    for (const auto& [key, value] : node.entries) {
        if (arm_key(key).kind != ArmKey::Kind::none) {
            diagnostics.add(Code::else_without_if, key.where,
                            "fields and conditions cannot stand side by side");
            continue;
        }
        if (is_name(key, "a field", diagnostics))
            rhs.fields.push_back({key.text.text, key.where, read_rhs(value, diagnostics)});
    }
    return rhs;
}

expr::Block read_step(const Node& node, Diagnostics& diagnostics) {
    return StepReader{diagnostics}.read(node);
}

} // namespace sme::yaml
