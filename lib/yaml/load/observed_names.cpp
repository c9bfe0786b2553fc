// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/loaders.hpp"

#include <vector>

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

/// Adds the texts of all nodes of a kind. Chains of operators may be too long for recursion.
void add(const AstRef& tree, Ast::Kind kind, std::set<std::string>& texts) {
    std::vector<const Ast*> open;
    if (tree)
        open.push_back(tree.get());
    while (!open.empty()) {
        const Ast& next = *open.back();
        open.pop_back();
        if (next.kind == kind)
            texts.insert(next.text);
        for (const AstRef& operand : next.operands)
            if (operand)
                open.push_back(operand.get());
    }
}

void add(const ChecksSyntax& checks, Ast::Kind kind, std::set<std::string>& texts) {
    for (const CheckSyntax& check : checks.checks)
        for (const AstRef& tree :
             {check.property.first, check.property.then, check.property.from, check.property.to})
            add(tree, kind, texts);
}

} // namespace

void add_names(const ChecksSyntax& checks, std::set<std::string>& names) {
    add(checks, Ast::Kind::name, names);
}

void add_observed_members(const FileSyntax& file, std::set<std::string>& members) {
    if (file.body.checks)
        add(*file.body.checks, Ast::Kind::field, members);
    for (const ProcessSyntax& process : file.processes)
        if (process.body.checks)
            add(*process.body.checks, Ast::Kind::field, members);
    for (const OutputSyntax& output : file.run.outputs) {
        add(output.record.ast, Ast::Kind::field, members);
        add(output.when, Ast::Kind::field, members);
    }
    for (const RequirementSyntax& assumption : file.run.assumptions)
        add(assumption.ast, Ast::Kind::field, members);
}

} // namespace sme::yaml
