// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verilator/inspect/element.hpp"

#include "network/verilog.hpp"
#include "verilator/inspect/bit_graph.hpp"
#include "verilator/inspect/netlist_types.hpp"

namespace sme::verilator {

/// Follows the logic of a flat netlist bit by bit: what an output depends on within a cycle.
///
/// Statements are followed in their order, so a variable that is used twice in one block is not
/// mixed up; loops and jumps are taken as a whole. What is not known here (calls into classes and
/// into C, elements that are not listed) reads every input, and writes every variable that stands
/// in it: softly, for that may be too much.
class Dataflow {
public:
    /// `netlist` holds the top module and what could not be inlined: interfaces, packages, classes.
    /// Throws `ReadingInterrupted` soon after `unwanted` becomes true.
    Dataflow(Element netlist, const NetlistTypes& types, const VerilogModule& module,
             const std::atomic<bool>* unwanted = nullptr);

    /// The bits of a variable of the module; empty when there is none.
    std::vector<BitGraph::Node> bits_of(const std::string& name) const;
    const BitGraph& graph() const { return graph_; }
    /// What registers depend on that a clock sets when it falls within a cycle.
    BitGraph::Node falling() const { return falling_; }
    bool falls() const { return falls_; }
    /// What all registers of a clock depend on, in the order of `known_clocks()`.
    BitGraph::Node registers_of(std::size_t clock) const { return clocks_[clock].registers; }
    /// Inputs that are no clocks, at whose edges registers take their values.
    const std::set<std::string>& edge_inputs() const { return edge_inputs_; }

    /// Throws `ReadingInterrupted` where that is wanted.
    void look() const {
        if (unwanted_ && unwanted_->load(std::memory_order_relaxed))
            throw ReadingInterrupted{};
    }

private:
    using Node = BitGraph::Node;
    using Bits = std::vector<Node>;
    struct Variable {
        Node first = BitGraph::none;
        std::size_t width = 0; // in nodes: 1 for what is no bits
        bool input = false;    // of the top module: nothing in it writes it
        bool several = false;  // one for all instances of an interface
    };
    /// The variables that a reference may mean: the netlist does not always say which.
    struct Meant {
        std::vector<Variable*> variables;
        bool sure() const { return variables.size() == 1 && !variables[0]->several; }
    };
    struct Target {
        Variable* variable;
        bool sure;
    };
    /// What variables hold at some place in a block, where that is not what they hold at its end.
    using State = std::map<const Variable*, Bits>;

    void declare_top(Element module);
    void declare_other(Element module);
    const Meant& find(std::string_view name);

    void process(Element element);
    void alias(Element element);
    void combinational(Element element);
    /// A function that was not inlined may be called at any time.
    void function(Element element);
    /// What an event of a block has of clocks.
    enum class EdgeKind : std::uint8_t {
        other,   // no clock is part of it
        at_end,  // a clock moves it at the end of a cycle
        falling, // the falling edge of a clock moves it within a cycle
        within,  // a clock moves it within a cycle, in another way
    };
    struct Event {
        Bits bits;
        std::string_view edge; // "POS"
        bool plain;            // a clock is all of it
    };
    /// A block that events run.
    struct Edges {
        Element element;
        std::vector<Event> events = {};
        std::set<std::size_t> clocks = {};          // that its registers have already
        std::set<std::pair<bool, bool>> added = {}; // what it follows already: soft, gated
    };
    struct Clock {
        std::string name;
        bool falls_within_cycles;
        Node registers;                      // see registers_of()
        std::set<const Variable*> nets = {}; // the clock by its other names
    };
    /// Registers may be the clocks of others, so this is repeated until nothing is new.
    void settle_edges();
    bool registers(Edges& edges);
    Event event_of(Element item);
    bool comes_from(const Bits& bits, std::size_t origin) const;
    bool add_clocks(Edges& edges, const Event& event);
    EdgeKind kind_of(const Event& event) const;
    void add_cause(Node cause, const Event& event, bool soft);
    void find_clocks();
    bool is_control(const std::string& port) const;
    /// All that is written there depends on all that is read there.
    void mix(Element element, Node also, bool soft);
    void depend_all(const std::vector<Target>& targets, Node cause, bool soft);

    void statements(Element parent, State& state, Node condition);
    void statement(Element element, State& state, Node condition);
    void branch(Element element, State& state, Node condition);
    void choice(Element element, State& state, Node condition);
    void loop(Element element, State& state, Node condition);
    void merge(State& state, std::vector<State> ways);
    void assign(Element target, const Bits& value, State& state, Node condition);
    void assign_bits(const Target& target, std::size_t low, const Bits& value, State& state,
                     Node condition, bool keeps);
    /// Variables that an expression may write, because it is not known.
    void spoil(Element expression, State& state);
    void weaken(const std::vector<Target>& targets, Node cause, State& state);
    void commit(const State& state);

    Bits value(Element element, const State& state);
    Bits read(Element reference, const State& state);
    Bits bits_at(const Variable& variable, const State& state) const;
    Bits operands_met(Element element, const State& state);
    Bits bitwise(Element element, const State& state);
    void gather(Element element, const State& state, Bits& into);
    void written(Element element, std::vector<Target>& into);
    void targets_of(Element target, std::vector<Target>& into);
    void all_of(Element element, std::vector<Target>& into);
    Node softly(Node node);

    BitGraph graph_;
    const NetlistTypes& types_;
    std::vector<Clock> clocks_;
    std::set<std::string> resets_;
    std::set<std::string> edge_inputs_;
    Node anything_; // reads every input, softly
    Node falling_;  // the falling edge of clocks that fall within cycles
    bool falls_ = false;
    std::map<std::string, Variable, std::less<>> variables_; // of the top module
    std::string top_;                                        // what names below it begin with, "t."
    std::map<std::string_view, std::map<std::string_view, Variable>>
        others_;                              // by module, then name
    std::map<std::string_view, Meant> found_; // by the name of a reference
    const std::atomic<bool>* unwanted_;
    Bits edge_bits_;           // of events at which registers take values while the module settles
    std::vector<Edges> edges_; // until all logic is known
    std::map<const Variable*, std::set<const Variable*>> copies_; // the same net, or its value
};

} // namespace sme::verilator
