// SPDX-License-Identifier: Apache-2.0
//
// Writes of one memory whose words are chosen while the network runs.
#include "expr/assignments.hpp"

namespace sme::expr {

void Assignments::check_conflicts() {
    struct Write {
        TargetKey key;
        NodeId written;
    };
    std::vector<Write> writes; // one scalar of each word that is written
    for (const auto& [key, assigned] : targets_)
        if (key.is_memory && (writes.empty() || writes.back().key.place != key.place ||
                              writes.back().key.word != key.word))
            writes.push_back({key, assigned.written});
        else if (key.is_memory)
            writes.back().written = b_.any_of(writes.back().written, assigned.written);
    for (std::size_t j = 0; j < writes.size(); ++j) {
        if (b_.constant_value(writes[j].key.word))
            continue; // constant words differ from each other
        for (std::size_t i = 0; i < writes.size(); ++i) {
            const bool both_chosen = !b_.constant_value(writes[i].key.word);
            if (i == j || (both_chosen && i > j) || writes[i].key.place != writes[j].key.place)
                continue;
            if (!e_.spend(200, places_[writes[j].key]))
                return;
            const NodeId same =
                b_.operation(Op::equal, {1, false}, writes[i].key.word, writes[j].key.word);
            // words are compared only where both are written: elsewhere they may be outside
            const NodeId both =
                b_.operation(Op::both, {1, false}, writes[i].written, writes[j].written);
            const NodeId conflict = b_.operation(Op::both, {1, false}, both, same);
            if (b_.constant_value(conflict) == std::uint64_t{0})
                continue;
            const NodeId ok = b_.boolean(true);
            assertions_.push_back(
                b_.checked(ok, conflict,
                           {Code::write_conflict, places_[writes[j].key],
                            "two enabled writes fall on one word of this memory in one cycle"}));
        }
    }
}

} // namespace sme::expr
