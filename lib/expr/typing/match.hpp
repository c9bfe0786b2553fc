// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// The arms of a match and its subject. Every value has exactly one arm (anything else is an
/// error), so the order of arms does not matter. A value that is not a member of the subject's
/// enumeration takes the else arm, or the last arm.
class Match {
public:
    struct Arm {
        const std::vector<Pattern>* patterns; // empty: else
        Location where;
    };

    /// Builds a match; `nullopt` after an error was reported.
    static std::optional<Match> of(const Ast& subject, const Location& where,
                                   const std::vector<Arm>& arms, Elaborator& elaborator);

    /// The subject of the match.
    const Value& subject() const { return value_; }
    /// Returns true if an arm can be chosen: a constant subject rules out the other arms, which are
    /// not elaborated.
    bool is_possible(std::size_t arm) const { return !decided_ || *decided_ == arm; }
    /// Returns the patterns of each arm, if bound expressions are kept.
    const std::vector<BoundPatterns>& patterns() const { return patterns_; }
    /// Returns a node that is true when an arm is chosen.
    NodeId condition(std::size_t arm);
    /// Returns the node of the chosen arm; no_node marks an arm that is not needed.
    NodeId choose(const std::vector<NodeId>& nodes);
    /// Returns the value of the chosen arm; values of impossible arms are ignored.
    Value select(std::vector<Value> values, const std::vector<Location>& where);

private:
    /// Values whose bits under `mask` are `bits`.
    struct Cube {
        std::uint64_t mask, bits;
        std::size_t arm;
        Location where;
    };
    /// Nodes with the arms that take them.
    using Groups = std::map<NodeId, std::vector<std::size_t>>;

    explicit Match(Elaborator& elaborator) : e_{elaborator}, b_{elaborator.builder()} {}

    bool take_subject(const Value& subject, const Ast& ast);
    bool add_pattern(const Pattern& pattern, std::size_t arm);
    bool add_bits(const Pattern& pattern, std::size_t arm);
    bool add_number(Integer value, const Location& where, std::size_t arm);
    bool add_typed(const Value& value, const Location& where, std::size_t arm);
    std::optional<Value> member(const Ast& ast) const;
    bool check_disjoint();
    bool check_complete(const Ast& subject, const Location& where);
    bool covers_all() const;
    std::string missing() const;
    std::string text_of(std::uint64_t bits) const;
    void decide(std::uint64_t bits);

    NodeId holds(const Cube& cube);
    NodeId linear(const Groups& groups, NodeId rest);
    std::vector<NodeId> dense(const std::vector<NodeId>& nodes, NodeId rest) const;
    NodeId table(const std::vector<NodeId>& values);
    std::size_t tree_cost(const std::vector<NodeId>& values) const;
    NodeId tree(std::vector<NodeId> values);

    Elaborator& e_;
    Builder& b_;
    Value value_;     // subject
    TypeRef type_;    // type of the subject; null: an integer without a type
    Integer low_ = 0; // range of the subject
    Integer high_ = 0;
    unsigned width_bits_ = 0;
    NodeId subject_ = no_node; // bits of the subject, unsigned
    std::vector<Cube> cubes_;
    std::size_t arms_ = 0;
    std::optional<std::size_t> else_;
    bool complete_ = false; // every bit pattern has its own arm
    std::optional<std::size_t> decided_;
    std::vector<NodeId> conditions_;
    std::vector<BoundPatterns> patterns_;
};

} // namespace sme::expr
