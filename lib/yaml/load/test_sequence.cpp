// SPDX-License-Identifier: Apache-2.0
//
// The sequence of a test is a process that reads and writes the buses that it names.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "yaml/load/loaders.hpp"
#include "yaml/sequences/graph.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

constexpr const char* ended = "test_ended"; // the last item

/// The names that a sequence reads and writes.
class SequenceUses {
public:
    void add(const SequenceItems& items) {
        for (const SequenceItem& item : items) {
            for (const expr::Block* block : {&item.targets, &item.lasting}) {
                rewritten(*block, reads_);
                add_targets(*block);
            }
            reads_(item.condition);
            reads_(item.within);
            for (const SequenceItem::End& end : item.ports) {
                reads_(end.value);
                reads_(end.port);
                add_written(item.kind == SequenceItem::Kind::send ? end.port : end.target);
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
    void add(const expr::Rhs& rhs) { reads_(rhs); }

    std::set<std::string> read, written;

private:
    void add_targets(const expr::Block& block) {
        for (const expr::Statement& line : block.statements) {
            add_written(line.target);
            for (const expr::Statement::Arm& arm : line.arms)
                add_targets(arm.block);
        }
    }

    /// Adds "x" of a target "x", "x[k]" or "x.field".
    void add_written(const AstRef& target) {
        const Ast* base = target.get();
        while (base && base->kind != Ast::Kind::name && !base->operands.empty())
            base = base->operands[0].get();
        if (base && base->kind == Ast::Kind::name)
            written.insert(base->text);
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
    for (const DeclarationSyntax& each : declared)
        if (names.count(each.name.name) > 0)
            result.ports.push_back(
                {std::nullopt, {name_tree(each.name.name, where), where, true, {}}, {}});
    return result;
}

expr::Statement halt_line(const Location& where) {
    expr::Statement line;
    line.kind = expr::Statement::Kind::halt;
    line.where = where;
    line.rhs.where = where;
    line.rhs.value = bool_tree(true, where);
    return line;
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

void add_driver(const TestSyntax& test, FileSyntax& file) {
    const Location& where = test.name.where;
    ProcessSyntax driver;
    driver.name.name = driver_name(file);
    driver.name.where = driver.where = where;
    driver.body = test.body;
    driver.body.checks.reset(); // those of the network
    SequenceItem end;
    end.where = where;
    end.name = ended;
    end.targets.statements.push_back(halt_line(where));
    SequenceItems items = *test.body.sequence;
    items.push_back(std::move(end));
    driver.body.sequence = std::make_shared<const SequenceItems>(std::move(items));

    SequenceUses uses;
    uses.add(*test.body.sequence);
    for (const ProcedureSyntax& procedure : test.body.procedures)
        uses.add(procedure.items);
    for (const expr::LetText& let : test.body.lets)
        uses.add(let.rhs);
    for (const std::string& name : uses.written)
        uses.read.erase(name);
    std::vector<DeclarationSyntax> buses = file.buses;
    buses.insert(buses.end(), file.channels.begin(), file.channels.end());
    driver.in = bindings_of(buses, uses.read, where);
    driver.out = bindings_of(buses, uses.written, where);

    CheckSyntax check;
    check.word = "cover";
    check.kind = expr::Check::Kind::cover;
    check.property.first =
        binary_tree(expr::Operator::equal, field_tree(name_tree(driver.name.name, where), "at"),
                    name_tree(ended, where));
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
