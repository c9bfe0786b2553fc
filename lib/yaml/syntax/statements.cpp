// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/readers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/lexer.hpp"
#include "expr/syntax/parser.hpp"
#include "expr/syntax/print_line.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

AstRef read_expression(const Node& node, std::string_view wanted, Diagnostics& diagnostics) {
    if (node.is_text())
        return expr::parse_expression(node.text, diagnostics);
    wrong_shape(node, wanted, diagnostics);
    return nullptr;
}

ValueSyntax read_value(const Node& node, Diagnostics& diagnostics) {
    ValueSyntax read{nullptr, node.where, node.is_text(), {}};
    if (read.text) {
        read.ast = expr::parse_initial(node.text, diagnostics);
        return read;
    }
    if (node.entries.empty() && node.items.empty()) {
        wrong_shape(node, "a value, or a map of fields as in {a: 1},", diagnostics);
        return read;
    }
    std::vector<AstRef> operands;
    const auto add = [&](const Node& child) {
        read.parts.push_back(read_value(child, diagnostics));
        const AstRef& value = read.parts.back().ast;
        if (value)
            operands.push_back(value);
        return value != nullptr;
    };
    bool fine = true;
    for (const Node& item : node.items)
        fine = add(item) && fine;
    for (const auto& [key, value] : node.entries) {
        fine = is_name(key, "a field", diagnostics) && add(value) && fine;
        if (!fine)
            continue;
        const auto field = tree_of(Ast::Kind::named, key.where, {operands.back()});
        field->text = key.text.text;
        operands.back() = field;
    }
    const Ast::Kind kind = node.is_map() ? Ast::Kind::fields : Ast::Kind::list;
    if (fine)
        read.ast = tree_of(kind, node.where, std::move(operands));
    return read;
}

expr::Text tail(const expr::Text& text, std::size_t begin) {
    return {text.source,
            text.text.substr(begin),
            {text.offsets.begin() + static_cast<std::ptrdiff_t>(begin), text.offsets.end()}};
}

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
    if (begins("match"))
        return {ArmKey::Kind::on_match, tail(key.text, 5)};
    if (text == "else")
        return {ArmKey::Kind::on_else, {}};
    return {};
}

void read_arms(const Node& arms, Diagnostics& diagnostics, const VisitArm& visit) {
    if (!arms.is_map())
        return wrong_shape(arms, "a map with an arm for each value", diagnostics);
    if (arms.entries.empty())
        diagnostics.add(Code::wrong_shape, arms.where, "a match has at least one arm");
    bool closed = false;
    for (const auto& [key, value] : arms.entries) {
        auto patterns = expr::parse_patterns(key.text, diagnostics);
        if (closed)
            diagnostics.add(Code::match_overlap, key.where,
                            "nothing is left for an arm behind the else; move it up");
        if (!patterns)
            continue;
        closed = closed || patterns->empty();
        visit(std::move(*patterns), key.where, value);
    }
}

bool read_condition(const Node& key, const ArmKey& arm, bool has_if, AstRef& condition,
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

namespace {

/// Reads a match as a right-hand side: the only key of its map.
expr::Rhs read_match(const Node& node, const ArmKey& key, Diagnostics& diagnostics) {
    expr::Rhs rhs;
    rhs.kind = expr::Rhs::Kind::match;
    rhs.where = node.entries[0].key.where;
    for (std::size_t k = 1; k < node.entries.size(); ++k)
        diagnostics.add(Code::else_without_if, node.entries[k].key.where,
                        "nothing is allowed beside a match; indent the arms below it");
    rhs.value = expr::parse_expression(key.condition, diagnostics);
    read_arms(
        node.entries[0].value, diagnostics,
        [&](std::vector<expr::Pattern> patterns, const Location& where, const Node& value) {
            rhs.arms.push_back({nullptr, std::move(patterns), where, read_rhs(value, diagnostics)});
        });
    return rhs;
}

/// Reports a key of another language; false for other keys.
bool is_foreign(const Node& key, Diagnostics& diagnostics) {
    std::string message = expr::foreign_key(key.text.text);
    if (message.empty())
        return false;
    diagnostics.add(Code::bad_target, key.where, std::move(message));
    return true;
}

bool is_choice(const Node& map) {
    return !map.entries.empty() && arm_key(map.entries[0].key).kind != ArmKey::Kind::none;
}

expr::Rhs read_choice(const Node& node, Diagnostics& diagnostics) {
    expr::Rhs rhs;
    rhs.kind = expr::Rhs::Kind::choice;
    rhs.where = node.where;
    for (const auto& [key, value] : node.entries) {
        const ArmKey arm = arm_key(key);
        if (arm.kind == ArmKey::Kind::none && is_foreign(key, diagnostics))
            return {};
        if (arm.kind == ArmKey::Kind::none || arm.kind == ArmKey::Kind::on_match ||
            (arm.kind == ArmKey::Kind::on_if && !rhs.arms.empty()) ||
            (!rhs.arms.empty() && !rhs.arms.back().condition)) {
            diagnostics.add(Code::else_without_if, key.where,
                            "a choice is one 'if', any number of 'elif' and at most one 'else', in "
                            "this order");
            return {};
        }
        expr::AstRef condition;
        if (read_condition(key, arm, !rhs.arms.empty(), condition, diagnostics))
            rhs.arms.push_back({std::move(condition), {}, key.where, read_rhs(value, diagnostics)});
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
                    no_map(item, "a map of targets");
        } else if (node.is_map())
            read_map(node, block);
        else
            no_map(node, "a map of targets, or {} for nothing");
        return block;
    }

private:
    void no_map(const Node& node, const char* wanted) {
        std::string hint = node.is_text() ? expr::foreign_assignment(node.text.text) : "";
        if (hint.empty())
            return wrong_shape(node, wanted, diagnostics_);
        diagnostics_.add(Code::wrong_shape, node.where,
                         fmt::format("this is a text, but {} belongs here{}", wanted, hint));
    }

    void read_map(const Node& map, expr::Block& block) {
        expr::Statement* chain = nullptr; // an if that elif and else may follow
        std::size_t index = 0;
        for (const auto& [key, value] : map.entries) {
            const ArmKey arm = arm_key(key);
            if (arm.kind == ArmKey::Kind::none) {
                if (is_foreign(key, diagnostics_)) // avoids errors for the lines below
                    continue;
                chain = nullptr;
                block.statements.push_back(read_line(key, value));
                continue;
            }
            if (arm.kind == ArmKey::Kind::on_match) {
                chain = nullptr;
                block.statements.push_back(read_match(key, arm, value));
                continue;
            }
            expr::AstRef condition;
            if (!read_condition(key, arm, chain != nullptr, condition, diagnostics_))
                continue;
            if (arm.kind == ArmKey::Kind::on_if) {
                index = block.statements.size();
                expr::Statement& result = block.statements.emplace_back();
                result.kind = expr::Statement::Kind::choice;
                result.where = key.where;
            }
            chain = &block.statements[index];
            chain->arms.push_back({std::move(condition), {}, key.where, read(value)});
            if (arm.kind == ArmKey::Kind::on_else)
                chain = nullptr;
        }
    }

    expr::Statement read_match(const Node& key, const ArmKey& arm, const Node& arms) {
        expr::Statement result;
        result.kind = expr::Statement::Kind::match;
        result.where = key.where;
        result.subject = expr::parse_expression(arm.condition, diagnostics_);
        read_arms(
            arms, diagnostics_,
            [&](std::vector<expr::Pattern> patterns, const Location& where, const Node& value) {
                result.arms.push_back({nullptr, std::move(patterns), where, read(value)});
            });
        return result;
    }

    expr::Statement read_line(const Node& key, const Node& value) {
        expr::Statement result;
        result.where = key.where;
        const std::string& text = key.text.text;
        if (text == "halt")
            result.kind = expr::Statement::Kind::halt;
        else if (text == "assert")
            result.kind = expr::Statement::Kind::assertion;
        else if (text == "print") {
            result.kind = expr::Statement::Kind::print;
            read_print(value, result);
            return result;
        } else
            result.target = expr::parse_target(key.text, diagnostics_);
        result.rhs = read_rhs(value, diagnostics_);
        return result;
    }

    void read_print(const Node& value, expr::Statement& result) {
        if (!value.is_text())
            return wrong_shape(value, "a text in quotes, as in \"x is {x}\" when ready",
                               diagnostics_);
        auto print = expr::parse_print(value.text, diagnostics_);
        if (!print)
            return;
        result.pieces = std::move(print->pieces);
        result.rhs.when = std::move(print->when);
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
            if (guarded->value->kind == expr::Ast::Kind::fields && !guarded->when)
                return expr::fields_of(*guarded->value);
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
    if (!node.entries.empty())
        if (const ArmKey key = arm_key(node.entries[0].key); key.kind == ArmKey::Kind::on_match)
            return read_match(node, key, diagnostics);
    if (is_choice(node))
        return read_choice(node, diagnostics);
    rhs.kind = expr::Rhs::Kind::fields;
    if (node.flow && !node.entries.empty() &&
        std::all_of(node.entries.begin(), node.entries.end(),
                    [](const auto& entry) { return entry.value.kind == Node::Kind::null; })) {
        diagnostics.add(Code::yaml_null, node.where, std::string{expr::join_form});
        return rhs;
    }
    for (const auto& [key, value] : node.entries) {
        if (arm_key(key).kind != ArmKey::Kind::none) {
            diagnostics.add(Code::else_without_if, key.where,
                            "fields and conditions cannot be mixed");
            continue;
        }
        if (!is_foreign(key, diagnostics) && is_name(key, "a field", diagnostics))
            rhs.fields.push_back({key.text.text, key.where, read_rhs(value, diagnostics)});
    }
    return rhs;
}

std::optional<expr::LetText> read_let(const Node& key, const Node& value,
                                      Diagnostics& diagnostics) {
    const bool plain = key.text.text.find('[') == std::string::npos;
    if (plain && !is_name(key, "a name", diagnostics))
        return std::nullopt;
    auto name = expr::parse_family_name(key.text, diagnostics);
    if (!name)
        return std::nullopt;
    return expr::LetText{std::move(name->name), read_rhs(value, diagnostics), key.where,
                         std::move(name->ranges)};
}

expr::Block read_step(const Node& node, Diagnostics& diagnostics) {
    return StepReader{diagnostics}.read(node);
}

} // namespace sme::yaml
