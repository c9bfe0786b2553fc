// SPDX-License-Identifier: Apache-2.0
//
// Finds the ways between the items of a sequence. Each list is read from its end, since an item
// needs to know what follows it.
#include "yaml/sequences/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/syntax/trees.hpp"

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

namespace {

class GraphBuilder {
public:
    GraphBuilder(SequenceValues& values, std::set<std::string>& taken)
        : values_{values}, diagnostics_{values.context().diagnostics}, taken_{taken} {}

    std::optional<SequenceGraph> run(const SequenceItems& sequence, const Location& where) {
        const std::size_t errors = diagnostics_.errors();
        // The way back from the end is a decision, so that the beginning need not be known yet.
        name_indices(sequence);
        const std::uint32_t again = add(Kind::choice, where, "start");
        entry_ = {again, {}};
        const SequenceEdge first = list(sequence, entry_);
        point(again).arms.push_back({nullptr, {}, where, first});
        graph_.entry = first;
        if (diagnostics_.errors() != errors)
            return std::nullopt;
        name_points();
        return std::move(graph_);
    }

private:
    /// An open loop.
    struct Loop {
        SequenceEdge leave, go_on;
        std::string index; // may be empty
    };

    SequencePoint& point(std::uint32_t number) { return graph_.points[number]; }

    std::uint32_t add(Kind kind, const Location& where, std::string name) {
        SequencePoint& added = graph_.points.emplace_back();
        added.kind = kind;
        added.where = where;
        added.name = std::move(name);
        return static_cast<std::uint32_t>(graph_.points.size() - 1);
    }

    std::uint32_t add(Kind kind, const SequenceItem& item) {
        const std::uint32_t number = add(kind, item.where, name_of(item));
        point(number).given = !item.name.empty();
        return number;
    }

    /// Returns the way into a list that goes on with `next`.
    SequenceEdge list(const SequenceItems& items, SequenceEdge next) {
        for (std::size_t k = items.size(); k-- > 0;) {
            if (k + 1 < items.size() && goes_elsewhere(items[k].kind))
                diagnostics_.add(Code::bad_sequence, items[k + 1].where,
                                 fmt::format("this is never reached, as it follows '{}'",
                                             word_of(items[k].kind)));
            next = item(items[k], std::move(next));
        }
        return next;
    }

    static bool goes_elsewhere(Kind kind) {
        return kind == Kind::stop || kind == Kind::restart || kind == Kind::leave ||
               kind == Kind::go_on;
    }

    SequenceEdge item(const SequenceItem& item, SequenceEdge next) {
        switch (item.kind) {
        case Kind::targets:
        case Kind::wait:
        case Kind::pause:
        case Kind::send:
        case Kind::receive:
        case Kind::stop: return action(item, next);
        case Kind::choice:
        case Kind::match: return decision(item, next);
        case Kind::loop: return while_loop(item, std::move(next));
        case Kind::repeat: return repeat(item, std::move(next));
        case Kind::restart: return restart();
        case Kind::leave:
        case Kind::go_on: break;
        }
        if (!loops_.empty())
            return item.kind == Kind::leave ? loops_.back().leave : loops_.back().go_on;
        diagnostics_.add(Code::bad_sequence, item.where,
                         fmt::format("there is no loop around this '{}'", word_of(item.kind)));
        return next;
    }

    SequenceEdge restart() const {
        SequenceEdge result = entry_;
        for (const Loop& loop : loops_)
            if (!loop.index.empty())
                result.sets[loop.index] = number_tree(0, {});
        return result;
    }

    SequenceEdge action(const SequenceItem& item, const SequenceEdge& next) {
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
        point(number) = std::move(made);
        return {number, {}};
    }

    SequenceEdge decision(const SequenceItem& item, const SequenceEdge& next) {
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

    SequenceEdge while_loop(const SequenceItem& item, SequenceEdge next) {
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

    /// A loop over an index, which counts the rounds that are done.
    SequenceEdge repeat(const SequenceItem& item, SequenceEdge next) {
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
                                    : values_.type_of(*count, "the number of rounds");
        if (!type)
            return next;
        const Location& where = item.index.empty() ? item.where : item.index_where;
        const std::string& index = index_of_.at(&item);
        graph_.indices.push_back({index, type, where});
        values_.add_index(index, type);

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

    TypeRef type_up_to(Integer most, const Location& where) {
        unsigned width = 1;
        while (width < 64 && (most >> width) != 0)
            ++width;
        if ((most >> width) == 0)
            return Type::unsigned_integer(width);
        diagnostics_.add(Code::too_large, where,
                         "a loop has at most 2^64 rounds, but this is more");
        return nullptr;
    }

    /// Gives each loop a state of its own, even if two loops use one name.
    void name_indices(const SequenceItems& items) {
        for (const SequenceItem& item : items) {
            if (item.kind == Kind::repeat) {
                const bool is_open = std::count(open_.begin(), open_.end(), item.index) > 0;
                if (!item.index.empty() && (is_open || declared_.count(item.index) > 0))
                    diagnostics_.add(Code::duplicate_name, item.index_where,
                                     fmt::format("'{}' is {}", item.index,
                                                 is_open ? "the index of a loop around this one"
                                                         : "already a name in this process"));
                else if (!item.index.empty())
                    values_.context().scope.check_hiding(item.index, item.index_where,
                                                         diagnostics_);
                index_of_[&item] =
                    SequenceGraph::fresh(item.index.empty() ? "at.round" : item.index, taken_);
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

    /// Returns true if the name has another meaning where items are compared with it.
    bool is_taken(const std::string& name) const {
        return taken_.count(name) > 0 || !values_.context().scope.kind_of(name).empty();
    }

    /// Returns the name that a user gave the item, or what it does.
    std::string name_of(const SequenceItem& item) {
        if (!item.name.empty()) {
            const bool is_second = !given_.insert(item.name).second;
            if (is_second || is_taken(item.name))
                diagnostics_.add(Code::duplicate_name, item.where,
                                 is_second
                                     ? fmt::format("two items are named '{}'", item.name)
                                     : fmt::format("'{}' already has a meaning here; give the "
                                                   "item another name",
                                                   item.name));
            return item.name;
        }
        const auto with = [](std::string word, const AstRef& tree) {
            const std::string name = tree ? first_name(*tree) : "";
            return name.empty() ? word : fmt::format("{}_{}", word, name);
        };
        const AstRef first = !item.ports.empty() ? item.ports[0].port : item.condition;
        switch (item.kind) {
        case Kind::targets:
            return with("set", item.targets.statements.empty() ? nullptr
                                                               : item.targets.statements[0].target);
        case Kind::choice: return with("if", item.arms[0].condition);
        case Kind::match: return with("match", item.condition);
        case Kind::pause: return "pause";
        case Kind::repeat: return "repeat" + (item.index.empty() ? "" : "_" + item.index);
        default: return with(std::string{word_of(item.kind)}, first);
        }
    }

    static std::string first_name(const Ast& tree) {
        if (tree.kind == Ast::Kind::name)
            return tree.text;
        for (const AstRef& operand : tree.operands)
            if (std::string found = first_name(*operand); !found.empty())
                return found;
        return {};
    }

    /// Numbers equal names in the order of the file.
    void name_points() {
        std::vector<SequencePoint*> all;
        for (SequencePoint& each : graph_.points)
            all.push_back(&each);
        std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
            return a->where.begin < b->where.begin;
        });
        std::set<std::string> names = given_;
        std::map<std::string, int> last; // the last number of each name
        std::set<std::string> seen;
        for (SequencePoint* each : all) {
            if (given_.count(each->name) > 0 && each->given && seen.insert(each->name).second)
                continue;
            const std::string base = each->name;
            for (int& k = last[base]; is_taken(each->name) || !names.insert(each->name).second;)
                each->name = fmt::format("{}_{}", base, k = std::max(k + 1, 2));
        }
    }

    SequenceValues& values_;
    Diagnostics& diagnostics_;
    std::set<std::string>& taken_;
    SequenceGraph graph_;
    SequenceEdge entry_;
    std::vector<Loop> loops_;
    std::set<std::string> given_;
    const std::set<std::string> declared_ = taken_; // by the user
    std::vector<std::string> open_;                 // indices of loops around what is being named
    std::map<const SequenceItem*, std::string> index_of_;
    std::map<std::string, std::string> renames_; // of the indices of open loops
    const Rewriter renamed_{[this](const AstRef& tree) -> AstRef {
        if (tree->kind != Ast::Kind::name)
            return nullptr;
        const auto found = renames_.find(tree->text);
        return found == renames_.end() || found->second == tree->text
                   ? nullptr
                   : name_tree(found->second, tree->where);
    }};
};

} // namespace

std::optional<SequenceGraph> graph_of(const SequenceItems& sequence, const Location& where,
                                      SequenceValues& values, std::set<std::string>& taken) {
    return GraphBuilder{values, taken}.run(sequence, where);
}

} // namespace sme::yaml
