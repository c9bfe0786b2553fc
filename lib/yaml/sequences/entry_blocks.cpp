// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/entry_blocks.hpp"

#include <algorithm>

#include "yaml/sequences/items.hpp"

namespace sme::yaml {

using expr::AstRef;
using expr::Statement;

Rewriter entry_rewriter(const std::set<std::string>& changed) {
    return Rewriter{[&changed](const AstRef& tree) -> AstRef {
        return tree->kind == expr::Ast::Kind::name && changed.count(tree->text) > 0
                   ? name_tree(tree->text + ".entry", tree->where)
                   : nullptr;
    }};
}

namespace {

std::size_t size_of(const expr::Block& block) {
    std::size_t size = 0;
    for (const Statement& line : block.statements) {
        ++size;
        for (const Statement::Arm& arm : line.arms)
            size += size_of(arm.block);
    }
    return size;
}

} // namespace

bool EntryBlocks::is_short(const std::function<bool(std::uint32_t item)>& begins_cycle) const {
    constexpr std::size_t few = 100, times = 3;
    std::size_t once = 0, all = 0;
    std::map<std::uint32_t, std::size_t> sizes;
    for (const auto& [number, block] : blocks_) {
        once += sizes[number] = size_of(block);
        all += begins_cycle(number) ? sizes[number] : 0;
    }
    for (const auto& [number, path] : decisions_)
        for_each_end(path, [&](std::uint32_t to, const IndexValues&) { all += sizes[to]; });
    return all <= std::max(few, times * once);
}

expr::Block EntryBlocks::decided(const SequencePath& path) const {
    expr::Block result;
    if (!path.decision) {
        const Location& where = graph_.points[path.to].where;
        for (const auto& [index, value] : path.sets)
            add_line(result, name_tree(index + ".entry", where), at_entry_(value), where);
        expr::Block item = with_indices(path.to, path.sets);
        if (path.sets.empty())
            return item;
        Statement& always = result.statements.emplace_back(); // its lines replace these
        always.kind = Statement::Kind::choice;
        always.where = where;
        always.arms.push_back({bool_tree(true, where), {}, where, std::move(item)});
        return result;
    }
    Statement& decision = result.statements.emplace_back();
    decision.kind = path.condition ? Statement::Kind::match : Statement::Kind::choice;
    decision.where = path.decision->where;
    decision.subject = at_entry_(path.condition);
    for (const SequencePath::Arm& arm : path.arms)
        decision.arms.push_back(
            {at_entry_(arm.condition), *arm.patterns, arm.where, decided(arm.path)});
    return result;
}

/// Returns the lines of an item with the values of indices that a cycle begins with, or that a
/// decision sets.
expr::Block EntryBlocks::with_indices(std::uint32_t item, const IndexValues& sets) const {
    const Rewriter rewriter{[&](const AstRef& tree) -> AstRef {
        if (tree->kind != expr::Ast::Kind::name || changed_.count(tree->text) == 0)
            return nullptr;
        const auto found = sets.find(tree->text);
        if (found == sets.end())
            return name_tree(tree->text + ".entry", tree->where);
        AstRef value = at_entry_(found->second);
        if (value->kind != expr::Ast::Kind::number)
            return value;
        const auto index =
            std::find_if(graph_.indices.begin(), graph_.indices.end(),
                         [&](const SequenceIndex& each) { return each.name == tree->text; });
        return call_tree(name_tree(index->type->name(), tree->where), {value});
    }};
    return rewritten(blocks_.at(item), rewriter);
}

} // namespace sme::yaml
