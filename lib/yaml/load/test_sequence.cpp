// SPDX-License-Identifier: Apache-2.0
//
// The sequence of a test is a process that reads and writes the buses that it names.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "yaml/load/loaders.hpp"
#include "yaml/sequences/items.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

/// The names that a sequence reads and writes.
class SequenceUses {
public:
    explicit SequenceUses(const BodySyntax& body) {
        add(*body.sequence);
        for (const ProcedureSyntax& procedure : body.procedures)
            add(procedure.items);
        for (const expr::LetText& let : body.lets)
            reads_(let.rhs);
    }

    std::set<std::string> read, written;

private:
    void add(const SequenceItems& items) {
        for (const SequenceItem& item : items) {
            for (const expr::Block* block : {&item.targets, &item.lasting}) {
                rewritten(*block, reads_);
                for (const auto& [name, where] : targets_of(*block))
                    written.insert(name);
            }
            reads_(item.condition);
            reads_(item.within);
            for (const SequenceItem::End& end : item.ports) {
                reads_(end.value);
                reads_(end.port);
                if (const AstRef& to =
                        item.kind == SequenceItem::Kind::send ? end.port : end.target)
                    written.insert(base_of(*to).text);
            }
            for (const SequenceItem::Arm& arm : item.arms) {
                reads_(arm.condition);
                add(arm.items);
            }
            for (const auto& inner : {item.body, item.late})
                if (inner)
                    add(*inner);
        }
    }

    const Rewriter reads_{[this](const AstRef& tree) -> AstRef {
        if (tree->kind == Ast::Kind::name)
            read.insert(tree->text);
        return nullptr;
    }};
};

/// Binds the buses and channels that are among the names.
BindingsSyntax bindings_of(const std::vector<DeclarationSyntax>& declared,
                           const std::set<std::string>& names, const Location& where) {
    BindingsSyntax result;
    result.form = BindingsSyntax::Form::list;
    for (const DeclarationSyntax& each : declared)
        if (names.count(each.name.name) > 0)
            result.ports.push_back(
                {std::nullopt, {name_tree(each.name.name, where), where, true, {}}, {}});
    return result;
}

/// Returns a free name for the process.
std::string driver_name(const FileSyntax& file) {
    std::set<std::string> taken;
    for (const ProcessSyntax& process : file.processes)
        taken.insert(process.name.name);
    for (const auto* section : {&file.buses, &file.channels})
        for (const DeclarationSyntax& each : *section)
            taken.insert(each.name.name);
    return SequenceGraph::fresh("test", taken);
}

} // namespace

bool draws_random(const BodySyntax& body) {
    return body.sequence && SequenceUses{body}.read.count("random") > 0;
}

void add_driver(const TestSyntax& test, FileSyntax& file) {
    const Location& where = test.name.where;
    ProcessSyntax driver;
    driver.name.name = driver_name(file);
    driver.name.where = driver.where = where;
    driver.body = test.body;
    driver.body.checks.reset(); // those of the network
    driver.body.halts = true;

    SequenceUses uses{test.body};
    for (const std::string& name : uses.written)
        uses.read.erase(name);
    std::vector<DeclarationSyntax> buses = file.buses;
    buses.insert(buses.end(), file.channels.begin(), file.channels.end());
    driver.in = bindings_of(buses, uses.read, where);
    driver.out = bindings_of(buses, uses.written, where);

    CheckSyntax check;
    check.word = "cover";
    check.kind = expr::Check::Kind::cover;
    check.property.first = field_tree(name_tree(driver.name.name, where), "at.ended");
    check.text = "the sequence of the test ends";
    check.key = check.where = where;
    if (!file.body.checks)
        file.body.checks = ChecksSyntax{where, {}};
    file.body.checks->checks.push_back(std::move(check));

    if (!test.run.cycles)
        file.run.cycles = nullptr;
    file.processes.push_back(std::move(driver));
    replace_inputs({file.processes.back()}, file.run.inputs);
}

} // namespace sme::yaml
