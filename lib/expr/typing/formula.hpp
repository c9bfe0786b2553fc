// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/program/builder.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/exact.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

/// An expression that is elaborated once, with its indices as ranges of numbers, and evaluated for
/// many of them.
///
/// It gives the value that an elaborator finds for these indices, or nothing. The caller then asks
/// the elaborator, which knows every expression and reports errors.
class Formula {
public:
    /// The most nodes that a formula has.
    static constexpr std::size_t max_nodes = 400;

    struct Index {
        std::string name;
        Range range;
    };
    /// A formula of a value that fits `type`, a scalar of at most 64 bits. Nothing when the
    /// expression has to know its indices, or may be wrong for all of them.
    static std::optional<Formula> of(const Ast& ast, const TypeRef& type,
                                     const std::vector<Index>& indices, Scope& scope);

    /// The canonical value for these indices. Nothing, too, each time that evaluation comes to a
    /// part of the expression for the first time: so the elaborator has seen every name whose value
    /// counted.
    std::optional<std::uint64_t> evaluate(std::span<const std::int64_t> indices);
    /// What each value takes of `Fuel`: as much as the elaborator took once.
    std::uint64_t fuel() const { return fuel_; }

private:
    Formula() = default;
    bool finish(const Value& value, const Type& type);
    std::uint64_t value(NodeId id);
    template <class Operand> std::uint64_t computed(const Node& node, Operand operand);
    std::uint64_t part(NodeId id, NodeId of, bool second);

    Builder builder_;
    NodeId result_ = no_node;
    Range fits_;                // what the result has to be
    std::vector<NodeId> order_; // what the result needs, constants apart
    bool leaves_out_ = false;   // parts of it, depending on the indices
    std::uint64_t fuel_ = 0;
    std::vector<std::uint8_t>
        entered_; // of each node: which operands that may be left out were not

    std::span<const std::int64_t> indices_;
    std::uint64_t evaluation_ = 0;
    bool failed_ = false;
    struct Known {
        std::uint64_t evaluation = 0;
        std::uint64_t value = 0;
    };
    std::vector<Known> known_; // of each node
};

} // namespace sme::expr
