// SPDX-License-Identifier: Apache-2.0
//
// Two writes of one location: an error if certain, a runtime check if it depends on an index.
#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/step_binder.hpp"
#include "expr/process/step_lowering.hpp"

namespace sme::expr {

namespace {

std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Returns true if two words always differ: by a constant, like words of one row, or by their
/// offsets in rows of equal length.
bool apart(const Builder& builder, NodeId x, NodeId y) {
    struct Place {
        NodeId base;
        std::uint64_t offset;
        std::uint64_t row; // words in a row; 0: unknown
    };
    const auto place = [&](NodeId id) {
        Place result{id, 0, 0};
        if (const Node& node = builder.node(id); node.op == Op::add)
            if (const auto offset = builder.constant_value(node.b))
                result = {node.a, *offset, 0};
        if (const Node& node = builder.node(result.base); node.op == Op::multiply)
            result.row = builder.constant_value(node.b).value_or(0);
        return result;
    };
    const Place a = place(x), b = place(y);
    return x != y && (a.base == b.base || (a.row == b.row && a.offset != b.offset &&
                                           a.offset < a.row && b.offset < b.row));
}

} // namespace

const std::string& StepLowering::name_of(const TargetKey& key) const {
    if (key.is_memory)
        return memories_.at(key.place)->name;
    const auto state = state_ports_.find(key.place);
    return state != state_ports_.end()
               ? state->second->name
               : std::prev(output_ports_.upper_bound(key.place))->second->name;
}

/// Compares a write with earlier writes in this block or in a sibling block (`block` locates this
/// one). False if one of them certainly conflicts.
bool StepLowering::check_write(const TargetKey& key, const Write& write,
                               const std::vector<Write>& before, const std::string& name,
                               const Location* block) {
    const auto mask = [](const Bits& bits) {
        const bool all = bits.whole() || bits.at != no_node;
        return all ? ~std::uint64_t{0} : low_bits(bits.width) << bits.low;
    };
    const auto is_sure = [&](const Write& each) {
        return each.bits.at == no_node && b_.constant_value(each.guard) == std::uint64_t{1};
    };
    if (!before.empty() && !e_.spend(20 * before.size(), write.where))
        return false;
    for (const Write& other : before) {
        if ((mask(write.bits) & mask(other.bits)) == 0)
            continue;
        if (!is_sure(write) || !is_sure(other)) {
            conflict(key, other, write);
            continue;
        }
        return report_two(write, other, name, block);
    }
    return true;
}

bool StepLowering::report_two(const Write& write, const Write& other, const std::string& name,
                              const Location* block) {
    const std::string message =
        block ? fmt::format("'{}' is written in this block and in an earlier one, and nothing says "
                            "which of the two counts; make it one block, with elif or else",
                            name)
              : fmt::format("'{}' is written twice in this block", name);
    e_.diagnostics()
        .add(Code::two_writes, block ? *block : write.where, message)
        .note(other.where, "it is written here, too");
    return false;
}

/// Returns a mask of the bits that a write changes.
NodeId StepLowering::position_mask(const Bits& bits, Scalar raw) {
    if (bits.at != no_node)
        return b_.operation(Op::shift_left, raw, b_.constant(raw, 1), bits.at);
    return b_.constant(raw, bits.whole() ? ~std::uint64_t{0} : low_bits(bits.width) << bits.low);
}

void StepLowering::conflict(const TargetKey& key, const Write& a, const Write& b) {
    const auto both = [&](NodeId x, NodeId y) {
        return b_.operation(Op::logical_and, {1, false}, x, y);
    };
    const auto enabled = [&](const Write& write) {
        return both(write.path, both(write.offered, write.guard));
    };
    NodeId meet = both(enabled(a), enabled(b));
    if (a.bits.at != no_node || b.bits.at != no_node) {
        const Scalar raw{scalar_of(key).width_bits, false};
        const NodeId common =
            b_.operation(Op::bit_and, raw, position_mask(a.bits, raw), position_mask(b.bits, raw));
        meet = both(
            meet, b_.logical_not(b_.operation(Op::equal, {1, false}, common, b_.constant(raw, 0))));
    }
    if (b_.constant_value(meet) == std::uint64_t{0})
        return;
    assertions_.push_back(
        b_.checked(b_.boolean(true), meet,
                   {Code::write_conflict, b.where,
                    fmt::format("two enabled writes fall on one element of '{}' in one cycle",
                                name_of(key))}));
}

void StepLowering::refuse(const TargetKey& key, const Location& where) {
    refuse_words(e_, where, name_of(key));
}

/// Like check_write, for words written by loops: different word numbers may coincide in some steps.
bool StepLowering::check_words(const TargetKey& key, const Write& write, const Writes& before,
                               const std::string& name, const Location* block) {
    if (!key.is_memory || !looped_.contains(key.place))
        return true;
    const auto is_sure = [&](const Write& each) {
        return each.bits.at == no_node && b_.constant_value(each.guard) == std::uint64_t{1};
    };
    for (const auto& [other, writes] : before) {
        if (!other.is_memory || other.place != key.place || other.leaf != key.leaf ||
            other.word == key.word || writes.empty() || !(is_loop(key) || is_loop(other)) ||
            words_.meet(key.word, other.word) != true)
            continue;
        const bool sure = is_sure(write) && write.bits.whole() &&
                          std::all_of(writes.begin(), writes.end(), [&](const Write& each) {
                              return is_sure(each) && each.bits.whole();
                          });
        if (sure)
            return report_two(write, writes[0], name, block);
        refuse(key, write.where);
        return false;
    }
    return true;
}

/// Refuses bit writes to a word that an enclosing line writes under another number, as in a loop:
/// the word's value is then unknown here.
void StepLowering::check_bits(const TargetKey& key, const Targets& targets) {
    if (!key.is_memory || !looped_.contains(key.place))
        return;
    for (const auto& [other, assigned] : targets)
        if (other.is_memory && other.place == key.place && other.leaf == key.leaf &&
            other.word != key.word && (is_loop(key) || is_loop(other)) &&
            words_.meet(key.word, other.word) == true)
            return refuse(key, places_.at(key));
}

/// Resolves two words of one memory, at least one of them written by a loop. If the words are known
/// before the run, the later line overrides the earlier one, as for constant words; otherwise they
/// must not coincide. False if the pair was refused.
bool StepLowering::settle_words(const TargetKey& a, const TargetKey& b, NodeId a_written,
                                NodeId b_written) {
    if (const std::optional<bool> meet = words_.meet(a.word, b.word)) {
        const Applied &x = applied_.at({a.place, a.word}), &y = applied_.at({b.place, b.word});
        if (!*meet || x.last < y.first || y.last < x.first)
            return true;
        refuse(b, places_.at(b));
        return false;
    }
    if (apart(b_, a.word, b.word))
        return true;
    if (is_loop(a) && is_loop(b)) {
        refuse(b, places_.at(b));
        return false;
    }
    const NodeId both = b_.operation(Op::logical_and, {1, false}, a_written, b_written);
    const NodeId meet = b_.operation(Op::logical_and, {1, false}, both,
                                     b_.operation(Op::equal, {1, false}, a.word, b.word));
    const TargetKey& looped = is_loop(a) ? a : b;
    loop_assertions_.emplace_back(
        looped.word,
        b_.checked(b_.boolean(true), meet,
                   {Code::write_conflict, places_[is_loop(a) ? b : a],
                    "two enabled writes fall on one word of this memory in one cycle"}));
    return true;
}

void StepLowering::check_conflicts() {
    struct Write {
        TargetKey key;
        NodeId written;
    };
    std::vector<Write> writes; // one scalar of each written word
    for (const auto& [key, assigned] : targets_)
        if (key.is_memory && (writes.empty() || writes.back().key.place != key.place ||
                              writes.back().key.word != key.word))
            writes.push_back({key, assigned.written});
        else if (key.is_memory)
            writes.back().written = b_.any_of(writes.back().written, assigned.written);
    for (std::size_t j = 0; j < writes.size() && !looped_.empty(); ++j)
        for (std::size_t i = 0; i < j; ++i)
            if (writes[i].key.place == writes[j].key.place &&
                (is_loop(writes[i].key) || is_loop(writes[j].key)) &&
                !settle_words(writes[i].key, writes[j].key, writes[i].written, writes[j].written))
                return;
    for (std::size_t j = 0; j < writes.size(); ++j) {
        if (b_.constant_value(writes[j].key.word) || is_loop(writes[j].key))
            continue; // constant words are distinct
        for (std::size_t i = 0; i < writes.size(); ++i) {
            const bool both_chosen = !b_.constant_value(writes[i].key.word);
            if (i == j || (both_chosen && i > j) || writes[i].key.place != writes[j].key.place ||
                is_loop(writes[i].key) || apart(b_, writes[i].key.word, writes[j].key.word))
                continue;
            if (!e_.spend(200, places_[writes[j].key]))
                return;
            const NodeId same =
                b_.operation(Op::equal, {1, false}, writes[i].key.word, writes[j].key.word);
            // words are compared only when both are written; otherwise they may be out of range
            const NodeId both =
                b_.operation(Op::logical_and, {1, false}, writes[i].written, writes[j].written);
            const NodeId conflict = b_.operation(Op::logical_and, {1, false}, both, same);
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
