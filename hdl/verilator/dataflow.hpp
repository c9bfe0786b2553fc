// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "verilator/bit_graph.hpp"
#include "verilator/xml_types.hpp"

namespace sme::verilator {

/// Follows the logic of a flat netlist bit by bit: what an output depends on within a cycle.
///
/// Statements are followed in their order, so a variable that is used twice in one block is not
/// mixed up; loops, jumps and what is not known here are taken as a whole, softly where that may be
/// too much.
class Dataflow {
public:
    Dataflow(const pugi::xml_node& module, const XmlTypes& types, std::string clock,
             std::string reset);

    /// The bits of a variable of the module; empty when there is none.
    std::vector<BitGraph::Node> bits_of(const std::string& name) const;
    const BitGraph& graph() const { return graph_; }

private:
    using Node = BitGraph::Node;
    using Bits = std::vector<Node>;
    struct Variable {
        Node first = BitGraph::none;
        std::size_t width = 0; // in nodes: 1 for what is no bits
    };
    /// What variables hold at some place in a block, where that is not what they hold at its end.
    using State = std::map<const Variable*, Bits>;

    void declare(const pugi::xml_node& module);
    const std::vector<Variable*>& find(const std::string& name);

    void process(const pugi::xml_node& element);
    void combinational(const pugi::xml_node& element);
    /// What an edge makes hold: nothing that is followed when it is the clock's.
    void registers(const pugi::xml_node& element, const pugi::xml_node& events);
    /// All that is written there depends on all that is read there.
    void mix(const pugi::xml_node& element, Node also, bool soft);

    void statements(const pugi::xml_node& parent, State& state, Node condition);
    void statement(const pugi::xml_node& element, State& state, Node condition);
    void branch(const pugi::xml_node& element, State& state, Node condition);
    void choice(const pugi::xml_node& element, State& state, Node condition);
    void loop(const pugi::xml_node& element, State& state, Node condition);
    void merge(State& state, std::vector<State> ways);
    void assign(const pugi::xml_node& target, const Bits& value, State& state, Node condition);
    void assign_bits(Variable& variable, std::size_t low, const Bits& value, State& state,
                     Node condition, bool keeps);
    void commit(const State& state);

    Bits value(const pugi::xml_node& element, const State& state);
    Bits read(const pugi::xml_node& reference, const State& state);
    Bits bits_at(const Variable& variable, const State& state) const;
    Bits operands_met(const pugi::xml_node& element, const State& state);
    Bits bitwise(const pugi::xml_node& element, const State& state);
    void gather(const pugi::xml_node& element, const State& state, Bits& into);
    void written(const pugi::xml_node& element, std::vector<Variable*>& into);
    bool is_clocked(const pugi::xml_node& events);

    BitGraph graph_;
    const XmlTypes& types_;
    std::string clock_;
    std::string reset_;
    std::map<std::string, Variable> variables_;
    std::map<std::string, std::vector<Variable*>> found_; // by the name of a reference
    struct Edges {
        pugi::xml_node element;
        pugi::xml_node events;
    };
    std::vector<Edges> edges_; // blocks with events, until all logic is known
};

} // namespace sme::verilator
