// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/bound/bound.hpp"
#include "expr/bound/fuel.hpp"
#include "expr/program/builder.hpp"
#include "expr/program/wide.hpp"

namespace sme::expr {

/// Thrown when a process needs too many operations, or too many steps of loops in a cycle.
struct TooLarge {
    Location where;
    std::string message;
    bool of_loop = false; // it is not unrolled either
};

TooLarge too_many_operations(const Location& where);
/// Returns that a loop takes too many steps; each takes so many operations, and counts `weight`
/// times.
TooLarge too_many_steps(const Location& where, Integer steps, std::size_t operations,
                        unsigned weight);

/// Makes the nodes of bound expressions, each once. All other checks were made when the expressions
/// were bound.
class Lowering {
public:
    /// An index as a node of 64 bits, counted from the low end of its range.
    struct Index {
        NodeId node = no_node;
        NodeId outside = no_node; // a bool: out of range
        std::optional<std::uint64_t> constant;
    };
    using Leaves = std::vector<NodeId>;

    Lowering(Builder& builder, Fuel& fuel) : b_{builder}, fuel_{fuel} {}
    Builder& builder() { return b_; }

    /// Returns the scalars of a value; of a number without a type, one node.
    const Leaves& leaves(const BoundExpr& bound);
    /// Returns a value of this scalar type of one word; a number without a type takes it, modulo
    /// 2^n.
    NodeId scalar_as(const BoundExpr& bound, const Type& type);
    /// Returns the scalars of a value of this type; a number without a type takes it, modulo 2^n.
    Leaves leaves_as(const BoundExpr& bound, const Type& type);
    /// Returns the scalars of a value that takes the type, or else the range, of a result.
    Leaves leaves_for(const BoundExpr& value, const BoundExpr& result);
    /// Returns a number without a type as a node of this type, modulo 2^n.
    NodeId number(const BoundExpr& bound, Scalar type);
    /// Returns an index of a range of `count` numbers from `low` on.
    Index index(const BoundExpr& value, std::int64_t low, std::uint64_t count);

    Leaves select(NodeId condition, const Leaves& yes, const Leaves& no);

    /// Converts between an integer and its bits.
    Bits bits_of(const Leaves& leaves, const Type& type);
    Leaves integer_of(const Bits& bits, const Type& type);

    /// Returns the loads of a slot that a process reads; those of a marked slot are checked.
    Leaves loads(const SlotRef& slot);
    /// Returns the scalars of a constant.
    Leaves constants(const ConstantArray& array);
    /// Returns a loop that carries nothing yet. The nodes of its steps follow.
    Loop begin_loop(const BoundLoop& loop);
    /// Charges the steps of a loop, times `weight`, to the limit of the file; the nodes after the
    /// first `nodes_before` are those of a step.
    void charge(const BoundLoop& loop, std::size_t nodes_before, unsigned weight = 1);

private:
    Leaves made(const BoundExpr& bound);
    Leaves leaf(const BoundExpr& bound);
    Leaves unary(const BoundExpr& bound);
    Leaves logical(const BoundExpr& bound);
    Leaves operation(Operator op, const Location& where, const BoundExpr& a, const BoundExpr& b);
    Leaves on_numbers(Operator op, const Location& where, const BoundExpr& a, const BoundExpr& b);
    NodeId compare_numbers(Operator op, const BoundExpr& a, const BoundExpr& b);
    Leaves on_scalars(Operator op, const Location& where, const BoundExpr& a, const BoundExpr& b);
    Leaves on_wide(Operator op, const Bits& x, const Bits& y, const Type& type);
    NodeId compare_wide(Operator op, const Bits& x, const Bits& y, bool is_signed);
    Leaves divide_wide(Operator op, const Location& where, const Bits& x, const Bits& y,
                       bool is_signed);
    Leaves shift(Operator op, const BoundExpr& a, const BoundExpr& b);
    NodeId count(const BoundExpr& bound);
    NodeId divided(NodeId quotient, NodeId divisor, Scalar type, const Location& where);

    /// Words of a memory: a row, or one word.
    struct Words {
        Index at;
        std::uint64_t of = 1; // such rows, or words, in the memory
    };
    Index flat_start();
    Index nested(const Index& outer, const Index& inner, std::uint64_t count);
    Words words_of(const BoundExpr& memory);
    Words words_at(const BoundExpr& memory, std::span<const BoundRef> indices);
    Leaves loaded(const MemoryRef& memory, const Words& from, const Location* where);
    Index family_index(const BoundExpr& element);
    Leaves candidate(const BoundExpr& bound);
    Leaves element(const BoundExpr& bound);
    /// Indices, each with its place in the text.
    struct Indices {
        std::span<const BoundRef> values;
        std::span<const AstRef> texts;
        Indices from(std::size_t first) const {
            return {values.subspan(first), texts.subspan(first)};
        }
        std::size_t size() const { return values.size(); }
    };
    /// Returns the element of an array or the bit of an integer that each index selects in turn.
    Leaves elements(std::span<const NodeId> base, TypeRef type, const Indices& indices);
    Leaves array_element(std::span<const NodeId> base, const Type& type, const Index& at,
                         const Location& where);
    Leaves constant_element(std::shared_ptr<const ConstantArray> array, const Indices& indices,
                            std::size_t& used, TypeRef& type);
    /// Returns the candidate that an index selects; all have the same number of scalars.
    Leaves pick(const std::vector<Leaves>& candidates, const Index& at, const Location& where);
    NodeId bit(std::span<const NodeId> base, const Type& type, const Index& at,
               const Location& where);
    Leaves field(const BoundExpr& bound);
    Leaves slice(const BoundExpr& bound);
    Leaves choice(const BoundExpr& bound);
    Leaves match(const BoundExpr& bound);

    Leaves cast(const BoundExpr& bound);
    Bits packed(const Leaves& leaves, const Type& type);
    Leaves unpacked(const Bits& bits, const Type& type);
    Leaves construct(const BoundExpr& bound);

    Leaves call(const BoundExpr& bound);
    NodeId same(const Leaves& a, const Leaves& b);
    Leaves absolute(const BoundExpr& x);
    Leaves rotated(const BoundExpr& x, const BoundExpr& by, bool left);
    Leaves bits_function(const BoundExpr& x, Op op);
    Leaves reduced(const BoundExpr& bound);
    Leaves combined(const BoundExpr& bound, const std::string& name);
    BoundExpr joined(const std::string& name, const Location& where, const BoundExpr& a,
                     const BoundExpr& b);

    Leaves random(const BoundExpr& bound);
    Leaves drawn_by_rule(const BoundExpr& bound, const Leaves& bits);
    Leaves weighted(const BoundExpr& bound, NodeId number);

    NodeId loop_index(const BoundExpr& index);
    Leaves end_loop(const BoundLoop& of, Loop loop, std::size_t nodes_before);
    Leaves loop(const BoundExpr& bound);
    Loop::Carried counted(const Loop& loop, NodeId chosen, const std::string& name);
    std::vector<Loop::Carried> combined_in_loop(const Loop& loop, const BoundExpr& bound,
                                                const std::string& name);
    Leaves folded_loop(const BoundExpr& bound);

    Builder& b_;
    Fuel& fuel_;
};

/// The number of draws after which a random value with a rule faults.
constexpr std::uint64_t max_draws = 64;

/// Returns the range of the value that a reducer carries in a loop: that of its terms so far, and
/// 0. `steps` is 1 unless it adds.
Range carried_range(const BoundExpr& term, Integer steps);

/// The fault of an index outside 0 to `count` - 1.
FaultSite index_fault(std::uint64_t count, const Location& where);

} // namespace sme::expr
