// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// The arms of a match against the value it is about. No value has two arms and every value has one
/// (else it is reported), so the order of the arms does not matter; values of an enumeration that
/// are no members take the else, or the last arm.
class Match {
public:
    struct Arm {
        const std::vector<Pattern>* patterns; // none: else
        Location where;
    };

    /// Nothing when something was reported.
    static std::optional<Match> of(const Ast& subject, const Location& where,
                                   const std::vector<Arm>& arms, Elaborator& elaborator);

    /// What it is about.
    const Value& subject() const { return value_; }
    /// Whether an arm can be chosen: a value that is known before the run rules out the others, and
    /// what they hold is not looked at.
    bool is_possible(std::size_t arm) const { return !decided_ || *decided_ == arm; }
    /// True when an arm is chosen.
    NodeId condition(std::size_t arm);
    /// The node of the chosen arm; no_node stands for arms of which none is needed.
    NodeId choose(const std::vector<NodeId>& nodes);
    /// The value of the chosen arm; those of arms that are not possible are not looked at.
    Value select(std::vector<Value> values, const std::vector<Location>& where);

private:
    /// Values whose bits under `mask` are `bits`.
    struct Cube {
        std::uint64_t mask, bits;
        std::size_t arm;
        Location where;
    };
    /// Nodes and the arms that take them.
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
    Value value_;     // of the subject
    TypeRef type_;    // its type; null: an integer without a type
    Integer low_ = 0; // the values it can have
    Integer high_ = 0;
    unsigned width_bits_ = 0;
    NodeId subject_ = no_node; // its bits, unsigned
    std::vector<Cube> cubes_;
    std::size_t arms_ = 0;
    std::optional<std::size_t> else_;
    bool complete_ = false; // every pattern of bits has an arm of its own
    std::optional<std::size_t> decided_;
    std::vector<NodeId> conditions_;
};

} // namespace sme::expr
