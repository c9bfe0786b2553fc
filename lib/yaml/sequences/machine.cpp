// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/machine.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/sequences/items.hpp"
#include "yaml/sequences/paths.hpp"

namespace sme::yaml {

namespace {

using expr::AstRef;
using expr::Rhs;
using expr::Statement;
using Kind = SequenceItem::Kind;

class MachineBuilder {
public:
    MachineBuilder(const BodySyntax& body, const expr::ProcessView& text, Context& context)
        : body_{body}, text_{text}, diagnostics_{context.diagnostics}, values_{text, context} {}

    std::optional<SequenceMachine> run(const Location& where, std::set<std::string>& taken) {
        const std::size_t errors = diagnostics_.errors();
        auto graph = graph_of(*body_.sequence, where, values_, taken);
        if (!graph)
            return std::nullopt;
        graph_ = std::move(*graph);
        check_targets(graph_, body_.step ? &*body_.step : nullptr, diagnostics_);
        SequencePaths paths{graph_, values_};
        find_ways(paths);
        if (diagnostics_.errors() != errors)
            return std::nullopt;
        add_states(where);
        add_decisions(where);
        add_items(where);
        if (diagnostics_.errors() != errors)
            return std::nullopt;
        return std::move(result_);
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
            return std::pair{point(a).where.begin, a} < std::pair{point(b).where.begin, b};
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
            if (is_decision || kept_.count(number) > 0 || lasts(point(number)))
                entries.push_back({point(number).name, value});
        }
        const std::string name = fmt::format("{}.at", text_.name);
        result_.type = Type::enumeration(name, width, items);
        result_.entry =
            decisions_.empty() ? nullptr : Type::enumeration(name + ".entry", width, entries);
        const TypeRef& type = result_.entry ? result_.entry : result_.type;
        result_.states.push_back(
            {entry_name(), type, type->find_member(point(begin_).name)->value, where});
        for (const SequenceIndex& index : graph_.indices)
            result_.states.push_back(
                {changed_.count(index.name) > 0 ? index.name + ".entry" : index.name, index.type, 0,
                 index.where});
    }

    /// Returns true if the item may go on in the next cycle.
    static bool lasts(const SequencePoint& item) { return item.kind != Kind::targets; }

    /// Returns the state that keeps what a cycle begins with.
    const char* entry_name() const { return decisions_.empty() ? "at" : "at.entry"; }

    /// Adds what chooses the item of a cycle, and the values of indices in it.
    void add_decisions(const Location& where) {
        if (decisions_.empty())
            return;
        const AstRef bits =
            call_tree(name_tree(fmt::format("u{}", result_.type->width_bits()), where),
                      {name_tree(entry_name(), where)});
        add_now("at", call_tree(name_tree("at:", where), {bits}), where,
                [&](std::uint32_t to, const IndexValues&) {
                    return name_tree("at:" + point(to).name, where);
                });
        for (const std::string& index : changed_) {
            add_now(index, name_tree(index + ".entry", where), where,
                    [&](std::uint32_t, const IndexValues& sets) {
                        const auto found = sets.find(index);
                        return found == sets.end() ? name_tree(index, where) : found->second;
                    });
            add_line(result_.block, name_tree(index + ".entry", where), name_tree(index, where),
                     where);
        }
    }

    /// Adds a let: the value at each decision, elsewhere that of `otherwise`.
    template <class ValueAt>
    void add_now(const std::string& name, const AstRef& otherwise, const Location& where,
                 const ValueAt& value_at) {
        Rhs match;
        match.kind = Rhs::Kind::match;
        match.where = where;
        match.value = name_tree(entry_name(), where);
        for (const std::uint32_t number : in_order())
            if (const auto path = decisions_.find(number); path != decisions_.end())
                match.arms.push_back({nullptr,
                                      {pattern(number)},
                                      point(number).where,
                                      rhs_of(path->second, value_at)});
        if (!items_.empty())
            match.arms.push_back({nullptr, {}, where, value_of(otherwise)});
        result_.lets.push_back({name, std::move(match), where, {}, true});
    }

    template <class ValueAt> Rhs rhs_of(const SequencePath& path, const ValueAt& value_at) const {
        if (!path.decision)
            return value_of(at_entry_(value_at(path.to, path.sets)));
        Rhs rhs;
        rhs.where = path.decision->where;
        rhs.kind = path.condition ? Rhs::Kind::match : Rhs::Kind::choice;
        rhs.value = at_entry_(path.condition);
        for (const SequencePath::Arm& arm : path.arms)
            rhs.arms.push_back(
                {at_entry_(arm.condition), *arm.patterns, arm.where, rhs_of(arm.path, value_at)});
        return rhs;
    }

    expr::Pattern pattern(std::uint32_t number) const {
        const Location& where = point(number).where;
        return {where, name_tree(point(number).name, where), 0, 0, 0};
    }

    /// Adds what each item does, and the states that this needs.
    void add_items(const Location& where) {
        ItemWriter writer{graph_, values_, text_, changed_, entry_name()};
        std::vector<std::uint32_t> all;
        for (const std::uint32_t number : in_order())
            if (items_.count(number) > 0)
                all.push_back(number);
        if (const unsigned width = writer.count(all); width > 0)
            result_.states.push_back(
                {ItemWriter::count_name, Type::unsigned_integer(width), 0, where});
        Statement match;
        match.kind = Statement::Kind::match;
        match.where = where;
        match.subject = name_tree("at", where);
        for (const std::uint32_t number : all)
            match.arms.push_back({nullptr,
                                  {pattern(number)},
                                  point(number).where,
                                  writer.block(number, items_.at(number))});
        result_.block.statements.push_back(std::move(match));
        for (const std::string& flag : writer.flags())
            result_.states.push_back({flag, Type::boolean(), 0, where});
    }

    const BodySyntax& body_;
    const expr::ProcessView& text_;
    Diagnostics& diagnostics_;
    SequenceValues values_;
    SequenceGraph graph_;
    std::uint32_t begin_ = 0;
    std::map<std::uint32_t, SequenceWays> items_;     // by point
    std::map<std::uint32_t, SequencePath> decisions_; // that a cycle begins with
    std::set<std::uint32_t> kept_;  // what a cycle may begin with, after the one before
    std::set<std::string> changed_; // indices that decisions change
    SequenceMachine result_;
    /// Decisions see the indices as the cycle begins.
    const Rewriter at_entry_{[this](const AstRef& tree) -> AstRef {
        return tree->kind == expr::Ast::Kind::name && changed_.count(tree->text) > 0
                   ? name_tree(tree->text + ".entry", tree->where)
                   : nullptr;
    }};
};

} // namespace

std::optional<SequenceMachine> machine_of(const BodySyntax& body, const Location& where,
                                          const expr::ProcessView& text, Context& context,
                                          std::set<std::string>& taken) {
    return MachineBuilder{body, text, context}.run(where, taken);
}

} // namespace sme::yaml
