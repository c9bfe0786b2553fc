// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/machine.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/entry_blocks.hpp"
#include "yaml/sequences/items.hpp"
#include "yaml/sequences/paths.hpp"
#include "yaml/sequences/picture.hpp"

namespace sme::yaml {

namespace {

using expr::AstRef;
using expr::Rhs;
using expr::Statement;
using Kind = SequenceItem::Kind;

/// Builds the machine of a sequence, or of a branch of a parallel item in it.
class MachineBuilder {
public:
    MachineBuilder(const SequenceGraph& graph, SequenceValues& values,
                   const expr::ProcessView& text, ProcessAddition& result)
        : graph_{graph}, values_{values}, text_{text}, result_{result},
          diagnostics_{values.context().diagnostics} {}

    /// Returns what it does in a cycle. `all`: of a branch: the let that says that all have ended.
    expr::Block run(const Location& where, const std::string& all = {}) {
        const std::size_t errors = diagnostics_.errors();
        SequencePaths paths{graph_, values_};
        find_ways(paths);
        if (diagnostics_.errors() != errors)
            return {};
        names_ = MachineNames{graph_.name, !decisions_.empty()};
        if (result_.picture)
            draw_machine(graph_, items_, decisions_, *result_.picture);
        add_states(where);
        add_decisions(where);
        add_items(where, {begin_, all.empty() ? std::nullopt : graph_.end, all});
        return std::move(block_);
    }

private:
    const SequencePoint& point(std::uint32_t number) const { return graph_.points[number]; }

    /// Finds the items and decisions that a cycle can begin with, and the ways on from each.
    void find_ways(SequencePaths& paths) {
        std::vector<std::uint32_t> open;
        std::set<std::uint32_t> known;
        const auto reach = [&](std::uint32_t to, const IndexValues&) {
            if (known.insert(to).second)
                open.push_back(to);
        };
        const auto keep = [&](std::uint32_t to, const IndexValues& sets) {
            reach(to, sets);
            kept_.insert(to);
        };
        const SequencePath first = paths.follow(graph_.entry, true);
        begin_ = graph_.entry.to;
        if (!first.decision && first.sets.empty())
            begin_ = first.to;
        keep(begin_, {});
        while (!open.empty() && !paths.failed()) {
            const std::uint32_t number = open.back();
            open.pop_back();
            const SequencePoint& each = point(number);
            if (each.is_decision()) {
                const SequencePath& path = decisions_[number] = paths.follow({number, {}}, false);
                for_each_end(path, [&](std::uint32_t to, const IndexValues& sets) {
                    reach(to, sets);
                    for (const auto& [index, value] : sets)
                        changed_.insert(index);
                });
                continue;
            }
            SequenceWays& ways = items_[number];
            if (each.kind == Kind::stop)
                continue;
            ways.next = paths.follow(each.next, true);
            for_each_end(ways.next, keep);
            if (each.within) {
                ways.late = paths.follow(each.late, true);
                for_each_end(ways.late, keep);
            }
        }
    }

    /// Returns the items and decisions in the order of the file.
    std::vector<std::uint32_t> in_order() const {
        std::vector<std::uint32_t> all;
        for (const auto& [number, ways] : items_)
            all.push_back(number);
        for (const auto& [number, path] : decisions_)
            all.push_back(number);
        std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair{point(a).place(), a} < std::pair{point(b).place(), b};
        });
        return all;
    }

    void add_states(const Location& where) {
        const std::vector<std::uint32_t> all = in_order();
        unsigned width = 1;
        while ((all.size() - 1) >> width != 0)
            ++width;
        std::vector<Member> items, entries; // decisions behind the items
        for (const std::uint32_t number : all)
            if (!point(number).is_decision())
                items.push_back({point(number).name, items.size()});
        std::uint64_t next = items.size(), item = 0;
        for (const std::uint32_t number : all) {
            const bool is_decision = point(number).is_decision();
            const std::uint64_t value = is_decision ? next++ : item++;
            if (is_decision || begins_cycle(number))
                entries.push_back({point(number).name, value});
        }
        const auto add_type = [&](const std::string& name, const std::vector<Member>& members) {
            TypeRef type =
                Type::enumeration(fmt::format("{}.{}", text_.name, name), width, members);
            result_.enumerations[name + ":"] = type;
            return type;
        };
        TypeRef type = add_type(names_.at, items);
        if (names_.has_entry)
            type = add_type(names_.entry, entries);
        result_.states.push_back(
            {names_.entry, type, type->find_member(point(begin_).name)->value, where});
        for (const SequenceIndex& index : graph_.indices)
            result_.states.push_back(
                {changed_.count(index.name) > 0 ? index.name + ".entry" : index.name, index.type, 0,
                 index.where});
    }

    /// Returns true if a cycle can begin with the item.
    bool begins_cycle(std::uint32_t item) const {
        return kept_.count(item) > 0 || point(item).kind != Kind::targets; // it may last
    }

    /// Adds what chooses the item of a cycle, and the values of indices in it.
    void add_decisions(const Location& where) {
        if (decisions_.empty())
            return;
        const std::string items = names_.at + ":";
        const unsigned width = static_cast<unsigned>(result_.enumerations.at(items)->width_bits());
        const AstRef bits = call_tree(name_tree(fmt::format("u{}", width), where),
                                      {name_tree(names_.entry, where)});
        add_now(names_.at, call_tree(name_tree(items, where), {bits}), where,
                [&](std::uint32_t to, const IndexValues&) {
                    return name_tree(items + point(to).name, where);
                });
        for (const std::string& index : changed_) {
            add_now(index, name_tree(index + ".entry", where), where,
                    [&](std::uint32_t, const IndexValues& sets) {
                        const auto found = sets.find(index);
                        return found == sets.end() ? name_tree(index, where) : found->second;
                    });
        }
    }

    /// Adds a let: the value at each decision, elsewhere that of `otherwise`.
    template <class ValueAt>
    void add_now(const std::string& name, const AstRef& otherwise, const Location& where,
                 const ValueAt& value_at) {
        Rhs match;
        match.kind = Rhs::Kind::match;
        match.where = where;
        match.value = name_tree(names_.entry, where);
        for (const std::uint32_t number : in_order())
            if (const auto path = decisions_.find(number); path != decisions_.end())
                match.arms.push_back({nullptr,
                                      {pattern(number)},
                                      point(number).where,
                                      rhs_of(path->second, at_entry_, value_at)});
        if (!items_.empty())
            match.arms.push_back({nullptr, {}, where, value_of(otherwise)});
        result_.lets.push_back({name, std::move(match), where, {}, true});
    }

    /// Returns the value at the end of the way that is taken. `rewriter`: how decisions see
    /// indices.
    template <class ValueAt>
    Rhs rhs_of(const SequencePath& path, const Rewriter& rewriter, const ValueAt& value_at) const {
        if (!path.decision)
            return value_of(rewriter(value_at(path.to, path.sets)));
        Rhs rhs;
        rhs.where = path.decision->where;
        rhs.kind = path.condition ? Rhs::Kind::match : Rhs::Kind::choice;
        rhs.value = rewriter(path.condition);
        for (const SequencePath::Arm& arm : path.arms)
            rhs.arms.push_back({rewriter(arm.condition), *arm.patterns, arm.where,
                                rhs_of(arm.path, rewriter, value_at)});
        return rhs;
    }

    expr::Pattern pattern(std::uint32_t number) const {
        const Location& where = point(number).where;
        return {where, name_tree(point(number).name, where), 0, 0, 0};
    }

    /// Adds what each item does, and the states that this needs.
    void add_items(const Location& where, BranchEnd end) {
        ItemWriter writer{graph_, values_, text_, changed_, names_, std::move(end)};
        std::vector<std::uint32_t> all;
        for (const std::uint32_t number : in_order())
            if (items_.count(number) > 0)
                all.push_back(number);
        if (const unsigned width = writer.count(all); width > 0)
            result_.states.push_back({names_.count, Type::unsigned_integer(width), 0, where});
        std::map<std::uint32_t, expr::Block> blocks;
        for (const std::uint32_t number : all)
            blocks[number] = writer.block(number, items_.at(number), branches_of(number));
        const EntryBlocks by_entry{graph_, changed_, decisions_, blocks};
        const auto begins = [&](std::uint32_t item) { return begins_cycle(item); };
        if (names_.has_entry && by_entry.is_short(begins))
            add_by_entry(by_entry, where);
        else
            add_by_item(blocks, where);
        for (const std::string& flag : writer.flags())
            result_.states.push_back({flag, Type::boolean(), 0, where});
        if (graph_.end && point(*graph_.end).kind == Kind::targets)
            add_ended(where);
        else if (graph_.end)
            add_end(writer, all, where);
    }

    /// Adds a choice of the item of the cycle.
    void add_by_item(std::map<std::uint32_t, expr::Block>& blocks, const Location& where) {
        for (const std::string& index : changed_)
            add_line(block_, name_tree(index + ".entry", where), name_tree(index, where), where);
        Statement& match = new_match(names_.at, where);
        for (const std::uint32_t number : in_order())
            if (const auto found = blocks.find(number); found != blocks.end())
                match.arms.push_back(
                    {nullptr, {pattern(number)}, point(number).where, std::move(found->second)});
    }

    /// Adds a choice of the entry of the cycle, where decisions hold the items to which they
    /// lead: smaller hardware, but items are written once for each way to them.
    void add_by_entry(const EntryBlocks& blocks, const Location& where) {
        Statement& match = new_match(names_.entry, where);
        for (const std::uint32_t number : in_order())
            if (const auto path = decisions_.find(number); path != decisions_.end())
                match.arms.push_back({nullptr,
                                      {pattern(number)},
                                      point(number).where,
                                      blocks.decided(path->second)});
            else if (begins_cycle(number))
                match.arms.push_back(
                    {nullptr, {pattern(number)}, point(number).where, blocks.item(number)});
    }

    Statement& new_match(const std::string& subject, const Location& where) {
        Statement& match = block_.statements.emplace_back();
        match.kind = Statement::Kind::match;
        match.where = where;
        match.subject = name_tree(subject, where);
        return match;
    }

    BranchBlocks branches_of(std::uint32_t number) {
        const SequencePoint& item = point(number);
        BranchBlocks result;
        if (item.branches.empty())
            return result;
        const std::string all = graph_.branches[item.branches[0]].name + ".all";
        AstRef ended;
        for (const std::size_t branch : item.branches) {
            MachineBuilder inner{graph_.branches[branch], values_, text_, result_};
            expr::Block lines = inner.run(item.where, all);
            std::move(lines.statements.begin(), lines.statements.end(),
                      std::back_inserter(result.lines.statements));
            ended = and_tree(ended, name_tree(inner.names_.ends, item.where));
        }
        result_.lets.push_back({all, value_of(ended), item.where, {}, true});
        result.complete = name_tree(all, item.where);
        return result;
    }

    /// Returns true where the item ends and the way on leads to the end of the branch.
    Rhs end_of(const SequenceWays& ways, const ItemEnds& ends) const {
        const Location& where = point(*graph_.end).where;
        const auto at_end = [&](std::uint32_t to, const IndexValues&) {
            return bool_tree(to == *graph_.end, where);
        };
        if (!ends.complete)
            return rhs_of(ways.next, as_now_, at_end);
        Rhs value;
        value.kind = Rhs::Kind::choice;
        value.where = where;
        value.arms.push_back({ends.complete, {}, where, rhs_of(ways.next, as_now_, at_end)});
        if (ends.late)
            value.arms.push_back({ends.late, {}, where, rhs_of(ways.late, as_now_, at_end)});
        value.arms.push_back({nullptr, {}, where, value_of(bool_tree(false, where))});
        return value;
    }

    /// Adds the let that tells that the sequence of a test has ended.
    void add_ended(const Location& where) {
        const bool reached = items_.count(*graph_.end) > 0;
        result_.lets.push_back(
            {names_.at + ".ended",
             value_of(reached ? binary_tree(expr::Operator::equal, name_tree(names_.at, where),
                                            pattern(*graph_.end).value)
                              : bool_tree(false, where)),
             where,
             {},
             true});
    }

    /// Adds the let that tells that a branch has ended, or ends in this cycle.
    void add_end(const ItemWriter& writer, const std::vector<std::uint32_t>& items,
                 const Location& where) {
        const AstRef no = bool_tree(false, where), yes = bool_tree(true, where);
        const auto leads_there = [&](const SequencePath& path) {
            bool found = false;
            for_each_end(path, [&](std::uint32_t to, const IndexValues&) {
                found = found || to == *graph_.end;
            });
            return found;
        };
        Rhs match;
        match.kind = Rhs::Kind::match;
        match.where = where;
        match.value = name_tree(names_.at, where);
        for (const std::uint32_t number : items) {
            const SequenceWays& ways = items_.at(number);
            const bool is_end = number == *graph_.end;
            const bool leads =
                leads_there(ways.next) || (point(number).within && leads_there(ways.late));
            if (is_end || (point(number).kind != Kind::stop && leads))
                match.arms.push_back({nullptr,
                                      {pattern(number)},
                                      where,
                                      is_end ? value_of(yes) : end_of(ways, writer.ends(number))});
        }
        if (match.arms.size() < items.size())
            match.arms.push_back({nullptr, {}, where, value_of(no)});
        result_.lets.push_back({names_.ends, std::move(match), where, {}, true});
    }

    const SequenceGraph& graph_;
    SequenceValues& values_;
    const expr::ProcessView& text_;
    ProcessAddition& result_;
    Diagnostics& diagnostics_;
    MachineNames names_{{}, false};
    expr::Block block_;
    std::uint32_t begin_ = 0;
    std::map<std::uint32_t, SequenceWays> items_;     // by point
    std::map<std::uint32_t, SequencePath> decisions_; // that a cycle begins with
    std::set<std::uint32_t> kept_;  // what a cycle may begin with, after the one before
    std::set<std::string> changed_; // indices that decisions change
    const Rewriter at_entry_ = entry_rewriter(changed_);
    const Rewriter as_now_{[](const AstRef&) -> AstRef { return nullptr; }};
};

} // namespace

std::optional<ProcessAddition> machine_of(const BodySyntax& body, const Location& where,
                                          const expr::ProcessView& text, Context& context,
                                          std::set<std::string>& taken) {
    const std::size_t errors = context.diagnostics.errors();
    SequenceValues values{text, context};
    const auto graph = graph_of(body, where, values, taken);
    if (!graph)
        return std::nullopt;
    check_targets(*graph, body.step ? &*body.step : nullptr, context.diagnostics);
    ProcessAddition result;
    if (context.loading.options.draw_machines)
        result.picture = Diagram{text.name, {}, {}, {}};
    if (context.diagnostics.errors() == errors)
        result.block = MachineBuilder{*graph, values, text, result}.run(where);
    return context.diagnostics.errors() == errors ? std::optional{std::move(result)} : std::nullopt;
}

} // namespace sme::yaml
