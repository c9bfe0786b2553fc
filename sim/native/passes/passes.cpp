// SPDX-License-Identifier: Apache-2.0
#include "native/passes/passes.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace sme::native {

namespace {

class DeadCode {
public:
    explicit DeadCode(Routine& routine) : routine_{routine}, needed_(routine.size()) {}

    std::vector<Id> run(const std::vector<Id>& ids) {
        std::vector<Id> kept;
        for (auto id = ids.rbegin(); id != ids.rend(); ++id)
            if (is_needed(*id)) {
                need(*id);
                kept.push_back(*id);
            }
        std::reverse(kept.begin(), kept.end());
        return kept;
    }

private:
    bool is_needed(Id id) const {
        const Node& node = routine_[id];
        if (node.kind == Node::Kind::effect)
            return true;
        if (node.kind != Node::Kind::loop)
            return needed_[id];
        const Region& inner = routine_.region(node);
        return std::any_of(inner.carried.begin(), inner.carried.end(),
                           [&](const auto& carried) { return needed_[carried.variable]; }) ||
               std::any_of(inner.first.begin(), inner.first.end(),
                           [&](Id each) { return is_needed(each); });
    }

    void need(Id id) {
        const Node& node = routine_[id];
        for (const Id operand : node.operands)
            needed_[operand] = true;
        if (node.condition != no_id)
            needed_[node.condition] = true;
        if (node.kind != Node::Kind::loop)
            return;
        Region& inner = routine_.region(node);
        for (const Region::Carried& carried : inner.carried)
            needed_[carried.start] = needed_[carried.next] = true;
        inner.first = run(inner.first);
    }

    Routine& routine_;
    std::vector<bool> needed_;
};

} // namespace

void remove_dead_code(Routine& routine) {
    routine.set_body(DeadCode{routine}.run(routine.body));
}

void forward_wires(Routine& routine, std::uint64_t wires_begin) {
    std::unordered_map<std::uint64_t, Id> stored; // offset → value
    std::unordered_map<Id, Id> instead;
    std::vector<Id> kept;
    for (const Id id : routine.body) {
        routine.replace_uses(id, instead);
        Node& node = routine[id];
        const bool is_wire = node.place.space == Place::Space::slot && node.place.at >= wires_begin;
        if (is_wire && node.kind == Node::Kind::load)
            if (const auto found = stored.find(node.place.at); found != stored.end()) {
                if (routine[found->second].type == node.type) {
                    instead[id] = found->second;
                    continue;
                }
                node = {.kind = Node::Kind::operation,
                        .op = expr::Op::convert,
                        .type = node.type,
                        .operands = {found->second},
                        .name = node.name,
                        .comment = node.comment};
                kept.push_back(id);
                continue;
            }
        if (is_wire && node.kind == Node::Kind::effect)
            stored[node.place.at] = node.operands[0];
        kept.push_back(id);
    }
    routine.set_body(std::move(kept));
}

namespace {

/// A key of a value: values with equal keys are equal.
std::string key_of(const Routine& routine, const Node& node) {
    std::string key = node.text;
    key += static_cast<char>(node.kind);
    key += static_cast<char>(node.op);
    key += static_cast<char>(node.type.width_bits);
    key += node.type.is_signed ? '-' : '+';
    for (const Id operand : node.operands) {
        const bool is_constant = routine[operand].kind == Node::Kind::constant;
        key += is_constant ? '#' : '$';
        key += std::to_string(is_constant ? routine[operand].immediate : operand);
    }
    return key;
}

} // namespace

void share_values(Routine& routine, std::uint64_t wires_begin) {
    std::unordered_map<std::string, Id> known;
    std::unordered_map<Id, Id> instead;
    std::vector<Id> kept;
    for (const Id id : routine.body) {
        routine.replace_uses(id, instead);
        const Node& node = routine[id];
        const bool is_fixed =
            node.place.space == Place::Space::none ||
            (node.place.space == Place::Space::slot && node.place.at < wires_begin);
        if ((node.kind == Node::Kind::operation || node.kind == Node::Kind::load) && is_fixed)
            if (const auto [found, fresh] = known.try_emplace(key_of(routine, node), id); !fresh) {
                instead[id] = found->second;
                continue;
            }
        kept.push_back(id);
    }
    routine.set_body(std::move(kept));
}

void sink_lasting_effects(Routine& routine) {
    std::stable_partition(routine.body.begin(), routine.body.end(),
                          [&](Id id) { return !routine[id].lasts; });
}

// From the last choice to the first: 1. collects the earlier choices with the same condition that
// nothing in between uses; 2. finds the values that only one of the two arms uses; 3. makes a
// branch if that is enough work. Each arm is then treated in the same way.

namespace {

/// The least work in one arm that is worth a branch, which may be mispredicted.
constexpr unsigned worth = 6;
/// How far before a choice its values are searched.
constexpr std::size_t max_distance = 600;

class Brancher {
public:
    /// `behind`: values that are used after all of these.
    Brancher(Routine& routine, std::vector<Id> ids, std::set<Id> behind)
        : routine_{routine}, ids_{std::move(ids)}, behind_{std::move(behind)}, uses_(ids_.size()),
          taken_(ids_.size()), branch_at_(ids_.size(), no_id) {
        for (std::size_t k = 0; k < ids_.size(); ++k)
            if (is_choice(k))
                first_with_.try_emplace(condition(k), k);
    }

    std::vector<Id> run() {
        find_uses();
        for (std::size_t k = ids_.size(); k-- > 0;)
            if (!taken_[k] && is_choice(k))
                look_at(k);
        std::vector<Id> result;
        for (std::size_t k = 0; k < ids_.size(); ++k)
            if (branch_at_[k] != no_id)
                result.push_back(branch_at_[k]);
            else if (!taken_[k])
                result.push_back(ids_[k]);
        return result;
    }

private:
    enum class Role : std::uint8_t { always, first, second }; // how a node uses a value
    struct Use {
        std::size_t by; // index in ids_
        Role role;
    };
    using Places = std::vector<std::size_t>; // ascending
    struct Block {
        Places members;       // choices; the branch replaces the last one
        Places first, second; // values needed in that arm only
    };

    const Node& node(std::size_t place) const { return routine_[ids_[place]]; }
    bool is_effect(std::size_t place) const { return node(place).kind == Node::Kind::effect; }
    Id condition(std::size_t place) const {
        const Node& found = node(place);
        if (found.kind == Node::Kind::operation && found.op == expr::Op::select)
            return found.operands[0];
        return found.condition;
    }
    bool is_choice(std::size_t place) const { return condition(place) != no_id; }

    Role role_of(std::size_t place, Id used) const {
        if (!is_choice(place) || condition(place) == used)
            return Role::always;
        if (is_effect(place))
            return Role::first;
        const std::vector<Id>& operands = node(place).operands;
        if (operands[1] == operands[2])
            return Role::always;
        return operands[1] == used ? Role::first : Role::second;
    }

    void find_uses() {
        std::unordered_map<Id, std::size_t> made_by;
        for (std::size_t k = 0; k < ids_.size(); ++k) {
            routine_.for_each_use(ids_[k], [&](Id used) {
                if (const auto found = made_by.find(used); found != made_by.end())
                    uses_[found->second].push_back({k, role_of(k, used)});
            });
            made_by[ids_[k]] = k;
        }
    }

    /// This choice and all others that share a branch with it.
    Places members(std::size_t last) const {
        Places result{last};
        const std::size_t first = first_with_.at(condition(last));
        std::unordered_set<Id> used;
        const auto use = [&](std::size_t place) {
            routine_.for_each_use(ids_[place], [&](Id id) { used.insert(id); });
        };
        use(last);
        for (std::size_t k = last; k-- > first;) {
            const bool joins = !taken_[k] && condition(k) == condition(last) &&
                               is_effect(k) == is_effect(last) && !used.contains(ids_[k]);
            if (joins)
                result.push_back(k);
            else if (is_effect(last) && is_effect(k))
                break; // effects keep their order
            use(k);
        }
        std::reverse(result.begin(), result.end());
        return result;
    }

    bool is_only_used(std::size_t value, const Block& block, Role role,
                      const std::vector<bool>& in_arm) const {
        // effects at the end may have changed the data that a load reads
        const bool is_late =
            is_effect(block.members.back()) && node(value).place.space != Place::Space::none;
        if (!node(value).is_value() || taken_[value] || uses_[value].empty() ||
            behind_.contains(ids_[value]) || is_late)
            return false;
        return std::all_of(uses_[value].begin(), uses_[value].end(), [&](const Use& use) {
            return in_arm[use.by] ||
                   (use.role == role &&
                    std::binary_search(block.members.begin(), block.members.end(), use.by));
        });
    }

    Block block(std::size_t last) const {
        Block result{members(last), {}, {}};
        const std::size_t first = result.members.front();
        const std::size_t begin = first > max_distance ? first - max_distance : 0;
        for (const Role role : {Role::first, Role::second}) {
            std::vector<bool> in_arm(ids_.size());
            Places& arm = role == Role::first ? result.first : result.second;
            for (std::size_t k = last; k-- > begin;)
                if (is_only_used(k, result, role, in_arm)) {
                    in_arm[k] = true;
                    arm.push_back(k);
                }
            std::reverse(arm.begin(), arm.end());
        }
        return result;
    }

    unsigned work(const Places& places) const {
        unsigned sum = 0;
        for (const std::size_t k : places)
            sum += expr::row_of(node(k).op).work;
        return sum;
    }

    /// Turns a choice into a branch, if that is worth it.
    void look_at(std::size_t last) {
        const Block found = block(last);
        if (!is_effect(last) && work(found.first) < worth && work(found.second) < worth)
            return;
        for (const Places* const places : {&found.members, &found.first, &found.second})
            for (const std::size_t k : *places)
                taken_[k] = true;
        Region result;
        std::set<Id> behind;
        for (const std::size_t k : found.members) {
            result.members.push_back(ids_[k]);
            routine_.for_each_use(ids_[k], [&](Id used) { behind.insert(used); });
        }
        result.first = Brancher{routine_, ids_of(found.first), behind}.run();
        result.second = Brancher{routine_, ids_of(found.second), behind}.run();
        const auto named = std::find_if(result.members.begin(), result.members.end(),
                                        [&](Id id) { return !routine_[id].comment.empty(); });
        const std::string comment =
            named == result.members.end() ? std::string{} : routine_[*named].comment;
        branch_at_[last] = routine_.add(
            {.kind = Node::Kind::branch, .condition = condition(last), .comment = comment},
            std::move(result));
    }

    std::vector<Id> ids_of(const Places& places) const {
        std::vector<Id> result;
        for (const std::size_t k : places)
            result.push_back(ids_[k]);
        return result;
    }

    Routine& routine_;
    std::vector<Id> ids_;
    std::set<Id> behind_;
    std::vector<std::vector<Use>> uses_;             // by value
    std::vector<bool> taken_;                        // moved into a branch
    std::vector<Id> branch_at_;                      // its replacement
    std::unordered_map<Id, std::size_t> first_with_; // by condition: the first choice
};

} // namespace

void selects_to_branches(Routine& routine) {
    routine.body = Brancher{routine, std::move(routine.body), {}}.run();
}

} // namespace sme::native
