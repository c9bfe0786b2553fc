// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "native/passes/passes.hpp"

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

} // namespace sme::native
