// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/graph_builder.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using Kind = SequenceItem::Kind;

expr::Block rewritten(expr::Block block, const Rewriter& rewriter) {
    for (expr::Statement& statement : block.statements) {
        statement.target = rewriter(statement.target);
        statement.rhs = rewriter(std::move(statement.rhs));
        statement.subject = rewriter(statement.subject);
        for (expr::PrintPiece& piece : statement.pieces)
            piece.value = rewriter(piece.value);
        for (expr::Statement::Arm& arm : statement.arms) {
            arm.condition = rewriter(arm.condition);
            arm.block = rewritten(std::move(arm.block), rewriter);
        }
    }
    return block;
}

std::string SequenceGraph::fresh(const std::string& name, std::set<std::string>& taken) {
    std::string result = name;
    for (int k = 2; !taken.insert(result).second; ++k)
        result = fmt::format("{}_{}", name, k);
    return result;
}

SequenceGraph GraphBuilder::run(const SequenceItems& sequence, const Location& where, bool halts) {
    name_indices(sequence);
    again_ = add_way(where, "start", {});
    if (halts)
        add_halt(where);
    const SequenceEdge first = list(sequence, {graph_.end.value_or(again_), {}});
    point(again_).arms[0].edge = first;
    graph_.entry = first;
    finish();
    return std::move(graph_);
}

/// Adds an item that ends the run.
void GraphBuilder::add_halt(const Location& where) {
    const std::uint32_t end = add(Kind::targets, where, "ended");
    expr::Statement& line = point(end).targets.statements.emplace_back();
    line.kind = expr::Statement::Kind::halt;
    line.where = line.rhs.where = where;
    line.rhs.value = bool_tree(true, where);
    point(end).next = {end, {}};
    graph_.end = end;
}

SequenceGraph GraphBuilder::run_branch(const SequenceItem::Arm& branch, const GraphBuilder& outer) {
    is_branch_ = true;
    renames_ = outer.renames_;
    graph_.name = all_.fresh(fmt::format("at.{}", ++all_.branches));
    graph_.end = add(Kind::stop, branch.where, "ended");
    graph_.entry = list(branch.items, {*graph_.end, {}});
    finish();
    return std::move(graph_);
}

void GraphBuilder::finish() {
    for (const auto& copy : copies_)
        finish(*copy);
    if (anew_)
        for (const SequenceIndex& index : graph_.indices)
            point(*anew_).arms[0].edge.sets[index.name] = number_tree(0, index.where);
    names_.number(graph_.points);
}

std::uint32_t GraphBuilder::add(Kind kind, const Location& where, std::string name) {
    SequencePoint& added = graph_.points.emplace_back();
    added.kind = kind;
    added.where = where;
    added.name = std::move(name);
    added.in_procedure = copy_ != nullptr;
    all_.count(where);
    return static_cast<std::uint32_t>(graph_.points.size() - 1);
}

std::uint32_t GraphBuilder::add(Kind kind, const SequenceItem& item) {
    const std::uint32_t number = add(kind, item.where, names_.name_of(item));
    point(number).given = !item.name.empty();
    return number;
}

std::uint32_t GraphBuilder::add_way(const Location& where, std::string name, SequenceEdge edge) {
    const std::uint32_t number = add(Kind::choice, where, std::move(name));
    point(number).arms.push_back({nullptr, {}, where, std::move(edge)});
    return number;
}

void GraphBuilder::add_index(const std::string& name, const TypeRef& type, const Location& where) {
    graph_.indices.push_back({name, type, where});
    values_.add_index(name, type);
}

namespace {

bool goes_elsewhere(Kind kind) {
    return kind == Kind::stop || kind == Kind::restart || kind == Kind::leave ||
           kind == Kind::go_on || kind == Kind::back;
}

} // namespace

SequenceEdge GraphBuilder::list(const SequenceItems& items, SequenceEdge next) {
    for (std::size_t k = items.size(); k-- > 0;) {
        if (k + 1 < items.size() && goes_elsewhere(items[k].kind))
            diagnostics_.add(
                Code::bad_sequence, items[k + 1].where,
                fmt::format("this is never reached, as it follows '{}'", word_of(items[k].kind)));
        next = item(items[k], std::move(next));
    }
    return next;
}

SequenceEdge GraphBuilder::item(const SequenceItem& item, SequenceEdge next) {
    switch (item.kind) {
    case Kind::targets:
    case Kind::wait:
    case Kind::pause:
    case Kind::send:
    case Kind::receive:
    case Kind::all:
    case Kind::stop: return action(item, next);
    case Kind::choice:
    case Kind::match: return decision(item, next);
    case Kind::loop: return while_loop(item, std::move(next));
    case Kind::repeat: return repeat(item, std::move(next));
    case Kind::call: return call(item, std::move(next));
    default: return word(item, std::move(next));
    }
}

SequenceEdge GraphBuilder::word(const SequenceItem& item, SequenceEdge next) {
    const auto fail = [&](std::string message) {
        diagnostics_.add(Code::bad_sequence, item.where, std::move(message));
        return next;
    };
    if (item.kind == Kind::restart && is_branch_)
        return fail("a branch of 'parallel' does not begin the sequence again; it ends, and an "
                    "item after 'parallel' may be 'restart'");
    if (item.kind == Kind::restart && !copy_)
        return leaving({again_, {}});
    if (item.kind == Kind::restart) {
        if (!anew_)
            anew_ = add_way(item.where, "restart", {again_, {}});
        return {*anew_, {}};
    }
    if (item.kind == Kind::back)
        return copy_ ? leaving({copy_->back, {}})
                     : fail("there is no procedure around this 'return'");
    if (!loops_.empty())
        return item.kind == Kind::leave ? loops_.back().leave : loops_.back().go_on;
    return fail(fmt::format("there is no loop around this '{}'", word_of(item.kind)));
}

SequenceEdge GraphBuilder::leaving(SequenceEdge edge) const {
    for (const Loop& loop : loops_)
        if (!loop.index.empty())
            edge.sets[loop.index] = number_tree(0, {});
    return edge;
}

SequenceEdge GraphBuilder::action(const SequenceItem& item, const SequenceEdge& next) {
    const std::uint32_t number = add(item.kind, item);
    SequencePoint made = point(number);
    made.targets = rewritten(item.targets, renamed_);
    made.lasting = rewritten(item.lasting, renamed_);
    made.condition = renamed_(item.condition);
    made.within = renamed_(item.within);
    made.ports = item.ports;
    for (SequenceItem::End& end : made.ports) {
        end.port = renamed_(end.port);
        end.target = renamed_(end.target);
        end.value = renamed_(std::move(end.value));
    }
    if (item.kind != Kind::stop)
        made.next = next;
    if (item.within)
        made.late = item.late ? list(*item.late, next) : next;
    if (item.kind == Kind::all)
        for (const SequenceItem::Arm& arm : item.arms) {
            if (all_.is_full())
                break;
            made.branches.push_back(graph_.branches.size());
            graph_.branches.push_back(GraphBuilder{all_}.run_branch(arm, *this));
        }
    point(number) = std::move(made);
    return {number, {}};
}

SequenceEdge GraphBuilder::decision(const SequenceItem& item, const SequenceEdge& next) {
    const std::uint32_t number = add(item.kind, item);
    std::vector<SequencePoint::Arm> arms;
    bool closed = item.kind == Kind::match;
    for (const SequenceItem::Arm& arm : item.arms) {
        const std::optional<bool> known = values_.truth(arm.condition);
        const SequenceEdge edge = list(arm.items, next);
        if (closed && item.kind == Kind::choice)
            continue; // an arm before this one always holds
        if (known != false)
            arms.push_back(
                {known ? nullptr : renamed_(arm.condition), arm.patterns, arm.where, edge});
        closed = closed || !arm.condition || known == true;
    }
    if (!closed)
        arms.push_back({nullptr, {}, item.where, next});
    point(number).condition = renamed_(item.condition);
    point(number).arms = std::move(arms);
    return {number, {}};
}

SequenceEdge GraphBuilder::while_loop(const SequenceItem& item, SequenceEdge next) {
    const std::uint32_t number = add(Kind::choice, item);
    loops_.push_back({next, {number, {}}, {}});
    const SequenceEdge body = list(*item.body, {number, {}});
    loops_.pop_back();
    const std::optional<bool> known = values_.truth(item.condition);
    if (known != false)
        point(number).arms.push_back(
            {known ? nullptr : renamed_(item.condition), {}, item.where, body});
    if (known != true)
        point(number).arms.push_back({nullptr, {}, item.where, std::move(next)});
    return {number, {}};
}

SequenceEdge GraphBuilder::repeat(const SequenceItem& item, SequenceEdge next) {
    if (!item.condition)
        return next;
    const AstRef count = renamed_(item.condition);
    const std::optional<Integer> rounds = values_.constant(count);
    if (rounds && *rounds < 1) {
        if (*rounds < 0)
            diagnostics_.add(
                Code::bad_range, count->where,
                fmt::format("a loop has 0 or more rounds, but this is {}", to_string(*rounds)));
        return next;
    }
    const TypeRef type = rounds ? type_up_to(*rounds - 1, count->where)
                                : values_.type_of(count, "the number of rounds");
    if (!type)
        return next;
    const Location& where = item.index.empty() ? item.where : item.index_where;
    const std::string index = all_.index_of.at(&item);
    add_index(index, type, where);

    const std::uint32_t again = add(Kind::choice, item);
    SequenceEdge leave = next;
    leave.sets[index] = number_tree(0, where);
    loops_.push_back({leave, {again, {}}, index});
    if (!item.index.empty())
        renames_[item.index] = index;
    SequenceEdge body = list(*item.body, {again, {}});
    if (!item.index.empty())
        renames_.erase(item.index);
    loops_.pop_back();

    const AstRef now = name_tree(index, where);
    const AstRef following = add_tree(now, number_tree(1, where));
    const AstRef last =
        rounds ? binary_tree(expr::Operator::equal, now, number_tree(*rounds - 1, where))
               : binary_tree(expr::Operator::greater_equal, following, count);
    SequenceEdge round = body;
    round.sets[index] = following;
    point(again).arms = {{last, {}, item.where, leave}, {nullptr, {}, item.where, round}};
    if (rounds)
        return body;
    const std::uint32_t any = add(Kind::choice, item.where, "repeat");
    point(any).arms = {
        {binary_tree(expr::Operator::equal, count, number_tree(0, where)), {}, where, next},
        {nullptr, {}, item.where, body}};
    return {any, {}};
}

TypeRef GraphBuilder::type_up_to(Integer most, const Location& where) {
    unsigned width = 1;
    while (width < 64 && (most >> width) != 0)
        ++width;
    if ((most >> width) == 0)
        return Type::unsigned_integer(width);
    diagnostics_.add(Code::too_large, where, "a loop has at most 2^64 rounds, but this is more");
    return nullptr;
}

void GraphBuilder::name_indices(const SequenceItems& items) {
    for (const SequenceItem& item : items) {
        if (item.kind == Kind::repeat) {
            const bool is_open = std::count(open_.begin(), open_.end(), item.index) > 0;
            if (!item.index.empty() && (is_open || all_.declared.count(item.index) > 0))
                diagnostics_.add(Code::duplicate_name, item.index_where,
                                 fmt::format("'{}' is {}", item.index,
                                             is_open
                                                 ? "a loop's index or a parameter around this one"
                                                 : "already a name in this process"));
            else if (!item.index.empty())
                values_.context().scope.check_hiding(item.index, item.index_where, diagnostics_);
            all_.index_of[&item] = all_.fresh(item.index.empty() ? "at.round" : item.index);
            if (!item.index.empty())
                open_.push_back(item.index);
        }
        for (const SequenceItem::Arm& arm : item.arms)
            name_indices(arm.items);
        for (const auto& inner : {item.body, item.late})
            if (inner)
                name_indices(*inner);
        if (item.kind == Kind::repeat && !item.index.empty())
            open_.pop_back();
    }
}

std::optional<SequenceGraph> graph_of(const BodySyntax& body, const Location& where,
                                      SequenceValues& values, std::set<std::string>& taken) {
    Diagnostics& diagnostics = values.context().diagnostics;
    const std::size_t errors = diagnostics.errors();
    ProcessSequences all{body.procedures, values, taken};
    SequenceGraph graph = GraphBuilder{all}.run(*body.sequence, where, body.halts);
    for (const ProcedureSyntax& each : body.procedures)
        if (all.called.count(each.name) == 0)
            diagnostics.add(Code::unused, each.where, fmt::format("no item calls '{}'", each.name));
    return diagnostics.errors() == errors ? std::optional{std::move(graph)} : std::nullopt;
}

} // namespace sme::yaml
