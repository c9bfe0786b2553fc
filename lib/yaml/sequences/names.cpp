// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using Kind = SequenceItem::Kind;

namespace {

std::string first_name(const Ast& tree) {
    if (tree.kind == Ast::Kind::name)
        return tree.text;
    for (const AstRef& operand : tree.operands)
        if (std::string found = first_name(*operand); !found.empty())
            return found;
    return {};
}

std::string action_of(const SequenceItem& item) {
    const auto with = [](std::string word, const AstRef& tree) {
        const std::string name = tree ? first_name(*tree) : "";
        return name.empty() ? word : fmt::format("{}_{}", word, name);
    };
    switch (item.kind) {
    case Kind::targets: {
        const auto& lines = item.targets.statements;
        if (!lines.empty() && lines[0].kind == expr::Statement::Kind::assertion)
            return with("expect", lines[0].rhs.value);
        return with("set", lines.empty() ? nullptr : lines[0].target);
    }
    case Kind::choice: return with("if", item.arms[0].condition);
    case Kind::match: return with("match", item.condition);
    case Kind::pause: return "pause";
    case Kind::repeat: return "repeat" + (item.index.empty() ? "" : "_" + item.index);
    default:
        return with(std::string{word_of(item.kind)},
                    item.ports.empty() ? item.condition : item.ports[0].port);
    }
}

} // namespace

std::string ItemNames::name_of(const SequenceItem& item) {
    if (item.name.empty())
        return action_of(item);
    const SequenceItem* const first = given_.emplace(item.name, &item).first->second;
    const bool is_second = first != &item;
    if (is_second || is_taken(item.name))
        context_.diagnostics.add(Code::duplicate_name, item.where,
                                 is_second ? fmt::format("two items are named '{}'", item.name)
                                           : fmt::format("'{}' already has a meaning here; give "
                                                         "the item another name",
                                                         item.name));
    return item.name;
}

void ItemNames::number(std::vector<SequencePoint>& points) const {
    std::vector<SequencePoint*> all;
    std::set<std::string> names;
    for (SequencePoint& each : points)
        all.push_back(&each);
    for (const auto& [name, item] : given_)
        names.insert(name);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto* a, const auto* b) { return a->place() < b->place(); });
    std::map<std::string, int> last; // the last number of each name
    std::set<std::string> seen;      // of the given ones
    for (SequencePoint* each : all) {
        if (each->given && seen.insert(each->name).second)
            continue;
        const std::string base = each->name;
        for (int& k = last[base]; is_taken(each->name) || !names.insert(each->name).second;)
            each->name = fmt::format("{}_{}", base, k = std::max(k + 1, 2));
    }
}

} // namespace sme::yaml
