// SPDX-License-Identifier: Apache-2.0
//
// From the last choice to the first: 1. the choices by the same condition before it, as long as
// nothing between uses them; 2. for both arms what nothing else uses; 3. where that is enough, a
// block. What lies in an arm is looked at in the same way, by itself.
#include "native/emit/select_to_branch.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace sme::native {

namespace {

/// Work in one arm that is worth a branch, which may be guessed wrong.
constexpr unsigned worth = 6;
/// How far before a choice its work is looked for.
constexpr std::size_t most_distance = 600;

bool is_choice(const Statement& statement) {
    return !statement.condition.empty();
}

} // namespace

SelectToBranch::SelectToBranch(std::vector<Statement> statements, std::set<std::string> behind)
    : statements_{std::move(statements)}, behind_{std::move(behind)}, uses_(statements_.size()),
      taken_(statements_.size(), false), block_at_(statements_.size(), 0) {
    find_uses();
    find_blocks();
}

void SelectToBranch::find_uses() {
    std::map<std::string, std::size_t> made_by;
    for (std::size_t k = 0; k < statements_.size(); ++k) {
        const Statement& statement = statements_[k];
        const bool has_arms = is_choice(statement);
        for (const std::string& name : statement.uses) {
            const auto found = made_by.find(name);
            if (found == made_by.end())
                continue;
            const bool first = has_arms && (statement.name.empty() || statement.first == name);
            const bool second = has_arms && statement.second == name;
            Role role = first ? Role::first : second ? Role::second : Role::always;
            if ((first && second) || statement.condition == name)
                role = Role::always;
            uses_[found->second].push_back({k, role});
        }
        if (!statement.name.empty())
            made_by[statement.name] = k;
    }
}

/// The choices that share a branch with this one, and itself.
std::vector<std::size_t> SelectToBranch::members(std::size_t last) const {
    const Statement& choice = statements_[last];
    std::vector<std::size_t> made{last};
    std::set<std::string> used(choice.uses.begin(), choice.uses.end());
    for (std::size_t k = last; k-- > 0 && last - k < most_distance;) {
        const Statement& before = statements_[k];
        const bool joins = !taken_[k] && before.condition == choice.condition &&
                           before.name.empty() == choice.name.empty() &&
                           !used.contains(before.name);
        if (joins)
            made.push_back(k);
        else if (choice.name.empty() && before.name.empty())
            break; // effects keep their order
        used.insert(before.uses.begin(), before.uses.end());
    }
    std::reverse(made.begin(), made.end());
    return made;
}

bool SelectToBranch::only_used(std::size_t value, const Block& block, Role role,
                               const std::vector<bool>& in_arm) const {
    const Statement& statement = statements_[value];
    const bool stays = statement.name.empty() || taken_[value] || uses_[value].empty() ||
                       behind_.contains(statement.name) ||
                       // what comes behind all values may have changed what a load reads
                       (statements_[block.members.back()].name.empty() && statement.loads);
    return !stays && std::all_of(uses_[value].begin(), uses_[value].end(), [&](const Use& use) {
        return in_arm[use.by] ||
               (use.role == role &&
                std::binary_search(block.members.begin(), block.members.end(), use.by));
    });
}

SelectToBranch::Block SelectToBranch::block(std::size_t last) const {
    Block made{members(last), {}, {}};
    const std::size_t begin = last > most_distance ? last - most_distance : 0;
    for (const Role role : {Role::first, Role::second}) {
        std::vector<bool> in_arm(statements_.size(), false);
        std::vector<std::size_t>& arm = role == Role::first ? made.first : made.second;
        for (std::size_t k = last; k-- > begin;)
            if (only_used(k, made, role, in_arm)) {
                in_arm[k] = true;
                arm.push_back(k);
            }
        std::reverse(arm.begin(), arm.end());
    }
    return made;
}

void SelectToBranch::find_blocks() {
    const auto work = [&](const std::vector<std::size_t>& values) {
        unsigned sum = 0;
        for (const std::size_t k : values)
            sum += statements_[k].work;
        return sum;
    };
    for (std::size_t k = statements_.size(); k-- > 0;) {
        if (taken_[k] || !is_choice(statements_[k]))
            continue;
        Block made = block(k);
        const bool effects = statements_[k].name.empty();
        if (!effects && work(made.first) < worth && work(made.second) < worth)
            continue;
        for (const auto* part : {&made.members, &made.first, &made.second})
            for (const std::size_t value : *part)
                taken_[value] = true;
        blocks_.push_back(std::move(made));
        block_at_[k] = blocks_.size();
    }
}

/// What stands in one arm, and what the choices come to there.
std::string SelectToBranch::arm(const Block& block, const std::vector<std::size_t>& values,
                                Role role, unsigned indent) const {
    std::vector<Statement> inner;
    for (const std::size_t k : values)
        inner.push_back(statements_[k]);
    std::set<std::string> behind;
    std::string last;
    for (const std::size_t k : block.members) {
        const Statement& choice = statements_[k];
        const std::string& value = role == Role::first ? choice.first : choice.second;
        behind.insert(choice.uses.begin(), choice.uses.end());
        last += std::string(indent, ' ') +
                (choice.name.empty() ? choice.text : fmt::format("{} = {};", choice.name, value)) +
                "\n";
    }
    return SelectToBranch{std::move(inner), std::move(behind)}.text(indent) + last;
}

std::string SelectToBranch::text(const Block& block, unsigned indent) const {
    const std::string margin(indent, ' ');
    std::string made;
    const Statement& choice = statements_[block.members.back()];
    for (const std::size_t k : block.members)
        if (!statements_[k].name.empty())
            made +=
                fmt::format("{}{} {};\n", margin, statements_[k].type.name(), statements_[k].name);
    made += fmt::format("{}if ({}) {{\n{}{}}}", margin, choice.condition,
                        arm(block, block.first, Role::first, indent + 4), margin);
    if (!choice.name.empty())
        made += fmt::format(" else {{\n{}{}}}", arm(block, block.second, Role::second, indent + 4),
                            margin);
    return made + "\n";
}

std::string SelectToBranch::text(unsigned indent) const {
    std::string made;
    for (std::size_t k = 0; k < statements_.size(); ++k)
        if (block_at_[k] > 0)
            made += text(blocks_[block_at_[k] - 1], indent);
        else if (!taken_[k])
            made += (statements_[k].comment.empty()
                         ? ""
                         : std::string(indent, ' ') + "/* " + statements_[k].comment + " */\n") +
                    std::string(indent, ' ') + statements_[k].line() + "\n";
    return made;
}

} // namespace sme::native
