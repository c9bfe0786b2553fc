// SPDX-License-Identifier: Apache-2.0
//
// A procedure is built once for all its calls, with a decision at its end that leads back to the
// call that was made. What it is called with is kept in states.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/graph_builder.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using Kind = SequenceItem::Kind;

SequenceEdge GraphBuilder::call(const SequenceItem& item, SequenceEdge next) {
    const ProcedureSyntax* const procedure = procedure_of(item);
    Copy* const copy = procedure && !all_.is_full() ? copy_of(*procedure, item) : nullptr;
    if (!copy)
        return next;
    std::optional<IndexValues> values = arguments(*copy, item);
    if (!values)
        return next;
    const std::uint32_t number = add(Kind::choice, item);
    point(number).arms.push_back({nullptr, {}, item.where, {copy->front, std::move(*values)}});
    point(copy->back).arms.push_back({nullptr, {}, item.where, std::move(next)});
    copy->calls.push_back(number);
    return {number, {}};
}

const ProcedureSyntax* GraphBuilder::procedure_of(const SequenceItem& item) {
    const Ast& name =
        item.condition->kind == Ast::Kind::call ? *item.condition->operands[0] : *item.condition;
    std::vector<std::string> names;
    for (const ProcedureSyntax& each : all_.procedures) {
        if (each.name == name.text) {
            all_.called.insert(each.name);
            return &each;
        }
        names.push_back(each.name);
    }
    const std::string near = did_you_mean(name.text, names);
    diagnostics_.add(
        Code::unknown_name, name.where,
        fmt::format("there is no procedure '{}' in this process{}", name.text,
                    near.empty() && names.empty()
                        ? fmt::format("; 'procedures: {{{}: [...]}}' declares it", name.text)
                        : near));
    return nullptr;
}

GraphBuilder::Copy* GraphBuilder::copy_of(const ProcedureSyntax& procedure,
                                          const SequenceItem& call) {
    if (all_.open.count(procedure.name) > 0) {
        diagnostics_.add(
            Code::bad_sequence, call.where,
            fmt::format("'{}' calls itself here; a loop repeats items", procedure.name));
        return nullptr;
    }
    const auto known = std::find_if(copies_.begin(), copies_.end(), [&](const auto& each) {
        return each->procedure == &procedure && !each->is_inline;
    });
    if (known != copies_.end() && !call.is_inline)
        return known->get();
    Copy& made = *copies_.emplace_back(std::make_unique<Copy>());
    made.procedure = &procedure;
    made.is_inline = call.is_inline;
    all_.open.insert(procedure.name);
    add_parameters(made);
    build(made);
    all_.open.erase(procedure.name);
    return &made;
}

/// Makes the parameters states of the process: "transfer.byte".
void GraphBuilder::add_parameters(Copy& copy) {
    Context& context = values_.context();
    std::set<std::string> names;
    for (const ProcedureSyntax::Parameter& each : copy.procedure->parameters) {
        if (context.scope.check_hiding(each.name, each.where, diagnostics_) &&
            (all_.declared.count(each.name) > 0 || !names.insert(each.name).second))
            diagnostics_.add(Code::duplicate_name, each.where,
                             fmt::format("'{}' is already a name in this process", each.name));
        Constants constants{context.scope, diagnostics_};
        TypeRef type = each.type ? constants.elaborator().type(*each.type) : nullptr;
        if (type && (type->is_bundle() || type->kind() == TypeKind::array)) {
            diagnostics_.add(Code::type_mismatch, each.where,
                             fmt::format("a parameter is a scalar or a struct, but '{}' is {}",
                                         each.name, type->name()));
            type = nullptr;
        }
        const std::string name = all_.fresh(fmt::format("{}.{}", copy.procedure->name, each.name));
        copy.parameters.push_back({name, type, each.where});
        if (type)
            add_index(name, type, each.where);
    }
}

void GraphBuilder::build(Copy& copy) {
    const ProcedureSyntax& procedure = *copy.procedure;
    std::map<std::string, std::string> renames;
    std::vector<std::string> open;
    for (std::size_t k = 0; k < copy.parameters.size(); ++k) {
        renames[procedure.parameters[k].name] = copy.parameters[k].name;
        open.push_back(procedure.parameters[k].name);
    }
    std::swap(open_, open);
    name_indices(procedure.items);
    std::swap(open_, open);
    std::vector<Loop> loops;
    Copy* around = &copy;
    std::swap(loops_, loops);
    std::swap(renames_, renames);
    std::swap(copy_, around);
    copy.back = add(Kind::match, procedure.where, "return_" + procedure.name);
    copy.front = add_way(procedure.where, "begin_" + procedure.name, {});
    SequenceEdge first = list(procedure.items, {copy.back, {}});
    point(copy.front).arms[0].edge = std::move(first);
    std::swap(loops_, loops);
    std::swap(renames_, renames);
    std::swap(copy_, around);
}

/// Returns what the parameters become; `nullopt` after an error was reported.
std::optional<IndexValues> GraphBuilder::arguments(const Copy& copy, const SequenceItem& call) {
    const ProcedureSyntax& procedure = *copy.procedure;
    const Ast& tree = *call.condition;
    const std::size_t given = tree.kind == Ast::Kind::call ? tree.operands.size() - 1 : 0;
    if (given != procedure.parameters.size()) {
        diagnostics_
            .add(Code::bad_call, tree.where,
                 fmt::format("'{}' has {} parameter{}, but this gives {}", procedure.name,
                             procedure.parameters.size(),
                             procedure.parameters.size() == 1 ? "" : "s", given))
            .note(procedure.where, "the procedure");
        return std::nullopt;
    }
    const std::size_t errors = diagnostics_.errors();
    IndexValues result;
    for (std::size_t k = 0; k < given; ++k) {
        const AstRef& value = tree.operands[k + 1];
        const bool is_named = value->kind == Ast::Kind::named;
        const auto at =
            is_named ? std::find_if(procedure.parameters.begin(), procedure.parameters.end(),
                                    [&](const auto& each) { return each.name == value->text; })
                     : procedure.parameters.begin() + static_cast<std::ptrdiff_t>(k);
        if (at == procedure.parameters.end()) {
            diagnostics_.add(
                Code::bad_call, value->where,
                fmt::format("'{}' has no parameter '{}'", procedure.name, value->text));
            continue;
        }
        const SequenceIndex& parameter =
            copy.parameters[static_cast<std::size_t>(at - procedure.parameters.begin())];
        if (!parameter.type)
            return std::nullopt;
        AstRef& given_value = result[parameter.name];
        if (given_value)
            diagnostics_.add(Code::bad_call, value->where,
                             fmt::format("'{}' is given twice", at->name));
        AstRef written = is_named ? value->operands[0] : value;
        if (written->kind == Ast::Kind::fields) // its type is known
            written = call_tree(at->type, written->operands);
        given_value = values_.argument(renamed_(written), parameter.type, at->name);
    }
    return diagnostics_.errors() == errors ? std::optional{std::move(result)} : std::nullopt;
}

/// Says of each call where the procedure goes on after it.
void GraphBuilder::finish(Copy& copy) {
    SequencePoint& back = point(copy.back);
    const std::size_t count = back.arms.size();
    if (count < 2) { // a way
        back.kind = Kind::choice;
        return;
    }
    const Location& where = copy.procedure->where;
    unsigned width = 1;
    while ((count - 1) >> width != 0)
        ++width;
    const std::string from = all_.fresh(copy.procedure->name + ".from");
    const AstRef type = name_tree(fmt::format("u{}", width), where);
    add_index(from, Type::unsigned_integer(width), where);
    back.condition = name_tree(from, where);
    for (std::size_t k = 0; k < count; ++k) {
        const AstRef number = number_tree(static_cast<Integer>(k), where);
        if (k + 1 < count)
            back.arms[k].patterns = {{where, number, 0, 0, 0}};
        point(copy.calls[k]).arms[0].edge.sets[from] = call_tree(type, {number});
    }
}

} // namespace sme::yaml
