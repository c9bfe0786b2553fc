// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/bound/bound.hpp"
#include "expr/program/builder.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/scope.hpp"

namespace sme::expr {

/// An expression that is elaborated once, with indices as ranges, and evaluated for many index
/// values.
///
/// It returns the elaborator's value for these indices, or `nullopt`. The caller then falls back to
/// the elaborator, which supports every expression and reports errors.
class Formula {
public:
    /// The maximum number of nodes of a formula.
    static constexpr std::size_t max_nodes = 400;

    struct Index {
        std::string name;
        Range range;
    };
    /// Makes a formula for a value within `type`, a scalar of at most 64 bits. `nullopt` if the
    /// expression must know its indices, or may be wrong for all of them.
    static std::optional<Formula> of(const Ast& ast, const TypeRef& type,
                                     const std::vector<Index>& indices, Scope& scope);

    /// Returns the canonical value for these indices. Also `nullopt` whenever evaluation reaches a
    /// part of the expression for the first time: so the elaborator sees every name whose value
    /// counts.
    std::optional<std::uint64_t> evaluate(std::span<const std::int64_t> indices);
    /// The `Fuel` to charge for each value: the cost of the one elaboration.
    std::uint64_t fuel() const { return fuel_; }

private:
    Formula() = default;
    bool finish(const BoundExpr& value, const Type& type);
    std::uint64_t value(NodeId id);
    template <class Operand> std::uint64_t computed(const Node& node, Operand operand);
    std::uint64_t part(NodeId id, NodeId of, bool second);

    Builder builder_;
    NodeId result_ = no_node;
    Range fits_;                // required range of the result
    std::vector<NodeId> order_; // nodes that the result needs, without constants
    bool leaves_out_ = false;   // may skip some of them, depending on the indices
    std::uint64_t fuel_ = 0;
    std::vector<std::uint8_t> entered_; // for each node: which skippable operands were evaluated

    std::span<const std::int64_t> indices_;
    std::uint64_t evaluation_ = 0;
    bool failed_ = false;
    struct Known {
        std::uint64_t evaluation = 0;
        std::uint64_t value = 0;
    };
    std::vector<Known> known_; // by node
};

} // namespace sme::expr
