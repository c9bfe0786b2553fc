// SPDX-License-Identifier: Apache-2.0
//
// Bits of an integer as targets: y[7:0], y[3], y[k]. The other bits keep the value from the
// enclosing lines or the current value of the target.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/assignments.hpp"

namespace sme::expr {

namespace {

constexpr unsigned word_bits = 64;

} // namespace

std::optional<Assignments::Target> Assignments::slice_target(const Ast& ast) {
    std::optional<Target> base = target(*ast.operands[0]);
    const std::optional<Integer> high = e_.constant(*ast.operands[1], "the high end of a slice");
    const std::optional<Integer> low = e_.constant(*ast.operands[2], "the low end of a slice");
    if (!base || !high || !low)
        return std::nullopt;
    if (!base->type->is_integer() || base->sliced) {
        e_.fail(Code::bad_target, ast.where,
                base->sliced ? std::string{"this is a slice already; write one slice of the whole"}
                             : fmt::format("'{}' is {}; only integers have slices", base->name,
                                           base->type->name()));
        return std::nullopt;
    }
    const auto width = static_cast<Integer>(base->type->width_bits());
    if (*low < 0 || *high < *low || *high >= width) {
        e_.fail(Code::bad_index, ast.where,
                fmt::format("[{}:{}] is no slice of {}: write the higher bit first, at most {}",
                            to_string(*high), to_string(*low), base->type->name(),
                            to_string(width - 1)));
        return std::nullopt;
    }
    const auto first = static_cast<unsigned>(*low), last = static_cast<unsigned>(*high);
    Target result{
        Type::unsigned_integer(last - first + 1),
        fmt::format("{}[{}:{}]", base->name, last, first),
        {},
        {{}},
        true,
        part(BoundExpr::Kind::slice, ast,
             {base->tree, kept(BoundExpr::number(*high)), kept(BoundExpr::number(*low))})};
    for (unsigned word = first / word_bits; word <= last / word_bits; ++word) {
        const unsigned begin = std::max(first, word * word_bits);
        const unsigned end = std::min(last, word * word_bits + word_bits - 1);
        for (Place place : base->leaves[word]) {
            place.bits = {begin % word_bits, end - begin + 1, no_node, begin - first};
            result.leaves[0].push_back(place);
        }
    }
    return result;
}

/// One bit, at a position that may be computed during the run.
std::optional<Assignments::Target> Assignments::bit_target(Target base, const BoundExpr& index,
                                                           const Ast& ast) {
    const auto at = e_.index(index, 0, base.type->width_bits(), ast.where);
    if (!at)
        return std::nullopt;
    Target result{
        Type::boolean(), base.name + "[...]", {}, {{}}, true, element(ast, base.tree, {index})};
    if (at->constant) {
        result.name = fmt::format("{}[{}]", base.name, *at->constant);
        for (Place place : base.leaves[*at->constant / word_bits]) {
            place.bits = {static_cast<unsigned>(*at->constant % word_bits), 1, no_node, 0};
            result.leaves[0].push_back(place);
        }
        return result;
    }
    const Scalar count{64, false};
    const NodeId checked =
        b_.checked(at->node, at->outside, index_fault(base.type->width_bits(), ast.where));
    for (std::size_t word = 0; word < base.leaves.size(); ++word)
        for (Place place : base.leaves[word]) {
            place.bits = {0, 1, checked, 0};
            if (base.leaves.size() > 1) {
                const NodeId here = b_.operation(
                    Op::equal, {1, false},
                    b_.operation(Op::shift_right, count, checked, b_.constant(count, 6)),
                    b_.constant(count, word));
                place.guard = b_.all_of(place.guard, here);
                place.bits.at =
                    b_.operation(Op::bit_and, count, checked, b_.constant(count, word_bits - 1));
            }
            result.leaves[0].push_back(place);
        }
    return result;
}

Scalar Assignments::scalar_of(const TargetKey& key) const {
    const auto of = [&](const Type& type) { return Scalar::of(*leaf_at(type, key.leaf).type); };
    if (key.is_memory)
        return of(*memories_.at(key.place)->type);
    const auto state = state_ports_.find(key.place);
    return of(state != state_ports_.end()
                  ? *state->second->type
                  : *std::prev(output_ports_.upper_bound(key.place))->second->type);
}

/// Replaces some bits of a scalar with those of a value.
NodeId Assignments::inserted(const Place& place, const Targets& targets,
                             const std::vector<GuardedValue>& values) {
    const Scalar type = scalar_of(place.key), raw{type.width_bits, false};
    const Bits& bits = place.bits;
    check_bits(place.key, targets);
    const Assigned before = current(targets, place.key);
    NodeId whole = before.value;
    if (place.key.is_memory) { // a word not written by an enclosing line keeps the memory's value
        const Leaf leaf = leaf_at(*memories_.at(place.key.place)->type, place.key.leaf);
        const NodeId word =
            b_.leaf({Op::memory_read, type, place.key.word, place.key.place, no_node, leaf.offset});
        whole = b_.select(before.written, whole, word);
    }
    // bits of the value from `from` on may span two words
    const unsigned word = bits.from / word_bits, shift = bits.from % word_bits;
    const auto part = [&](unsigned k) {
        const Scalar own{b_.type(values[k].value).width_bits, false};
        return b_.convert({64, false}, b_.convert(own, values[k].value));
    };
    const Scalar wide{64, false};
    NodeId value = b_.operation(Op::shift_right, wide, part(word), b_.constant(wide, shift));
    if (shift != 0 && shift + bits.width > word_bits)
        value = b_.operation(Op::bit_or, wide, value,
                             b_.operation(Op::shift_left, wide, part(word + 1),
                                          b_.constant(wide, word_bits - shift)));
    value = b_.convert(raw, b_.convert({static_cast<std::uint8_t>(bits.width), false}, value));
    const NodeId position = bits.at != no_node ? bits.at : b_.constant({64, false}, bits.low);
    const NodeId others = b_.operation(Op::bit_and, raw, b_.convert(raw, whole),
                                       b_.operation(Op::complement, raw, position_mask(bits, raw)));
    return b_.convert(type, b_.operation(Op::bit_or, raw, others,
                                         b_.operation(Op::shift_left, raw, value, position)));
}

} // namespace sme::expr
