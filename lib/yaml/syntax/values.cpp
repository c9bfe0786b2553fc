// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/values.hpp"

#include <algorithm>

#include "expr/syntax/parser.hpp"
#include "yaml/read/keys.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

std::shared_ptr<Ast> made(Ast::Kind kind, const Location& where, std::vector<AstRef> operands) {
    auto ast = std::make_shared<Ast>();
    ast->kind = kind;
    ast->where = where;
    ast->operands = std::move(operands);
    for (const AstRef& operand : ast->operands)
        ast->depth = std::max(ast->depth, operand->depth + 1);
    return ast;
}

} // namespace

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
        const auto field = made(Ast::Kind::named, key.where, {operands.back()});
        field->text = key.text.text;
        operands.back() = field;
    }
    const Ast::Kind kind = node.is_map() ? Ast::Kind::fields : Ast::Kind::list;
    if (fine)
        read.ast = made(kind, node.where, std::move(operands));
    return read;
}

} // namespace sme::yaml
