// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/values.hpp"

#include <algorithm>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "expr/rhs_value.hpp"
#include "yaml/read/keys.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Value;

namespace {

std::shared_ptr<Ast> made(Ast::Kind kind, const Location& where, std::vector<AstRef> kids) {
    auto ast = std::make_shared<Ast>();
    ast->kind = kind;
    ast->where = where;
    ast->kids = std::move(kids);
    for (const AstRef& kid : ast->kids)
        ast->depth = std::max(ast->depth, kid->depth + 1);
    return ast;
}

} // namespace

AstRef read_value(const Node& node, Diagnostics& diagnostics) {
    if (node.is_text())
        return expr::parse_initial(node.text, diagnostics);
    if (node.entries.empty() && node.items.empty()) {
        wrong_shape(node, "a value, or a map of fields as in {a: 1},", diagnostics);
        return nullptr;
    }
    std::vector<AstRef> kids;
    const auto add = [&](const Node& kid) {
        AstRef value = read_value(kid, diagnostics);
        const bool fine = value != nullptr;
        if (fine)
            kids.push_back(std::move(value));
        return fine;
    };
    bool fine = true;
    for (const Node& item : node.items)
        fine = add(item) && fine;
    for (const auto& [key, value] : node.entries) {
        fine = is_name(key, "a field", diagnostics) && add(value) && fine;
        if (!fine)
            continue;
        const auto field = made(Ast::Kind::named, key.where, {kids.back()});
        field->text = key.text.text;
        kids.back() = field;
    }
    const Ast::Kind kind = node.is_map() ? Ast::Kind::fields : Ast::Kind::list;
    return fine ? made(kind, node.where, std::move(kids)) : nullptr;
}

Value value_of(const Ast& ast, expr::Elaborator& elaborator, const std::string& advice) {
    if (ast.kind == Ast::Kind::fields) {
        std::vector<expr::FieldValue> fields;
        for (const AstRef& kid : ast.kids) {
            fields.push_back({kid->text, kid->where, value_of(*kid->kids[0], elaborator, advice)});
            if (!fields.back().value.ok())
                return {};
        }
        return expr::struct_of(fields, advice, elaborator);
    }
    if (ast.kind != Ast::Kind::list)
        return elaborator.loaded(elaborator.evaluate(ast), ast.where);
    std::vector<Value> elements;
    std::vector<Location> where;
    for (const AstRef& kid : ast.kids) {
        elements.push_back(value_of(*kid, elaborator, advice));
        where.push_back(kid->where);
    }
    return expr::array_of(std::move(elements), where, elaborator);
}

} // namespace sme::yaml
