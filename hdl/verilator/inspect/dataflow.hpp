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

/// Follows the logic of a flat netlist bit by bit, to find the dependencies of an output within a
/// cycle.
///
/// Follows statements in order, so two uses of one variable in a block stay separate; loops and
/// jumps are treated as a whole. Unknown elements (calls into classes and into C, unlisted kinds)
/// read every input and write every variable inside them: softly, because this may be too much.
class Dataflow {
public:
    /// `netlist` holds the top module and the parts that cannot be inlined: interfaces, packages,
    /// classes. Throws `ReadingInterrupted` soon after `unwanted` becomes true.
    Dataflow(Element netlist, const NetlistTypes& types, const VerilogModule& module,
             const std::atomic<bool>* unwanted = nullptr);

    /// Returns the bits of a variable of the module; empty if absent.
    std::vector<BitGraph::Node> bits_of(const std::string& name) const;
    const BitGraph& graph() const { return graph_; }
    /// Returns the dependency of registers that a clock sets when it falls within a cycle.
    BitGraph::Node falling() const { return falling_; }
    bool falls() const { return falls_; }
    /// Returns the dependency of all registers of a clock, in the order of `known_clocks()`.
    BitGraph::Node registers_of(std::size_t clock) const { return clocks_[clock].registers; }
    /// Returns the non-clock inputs whose edges load registers.
    const std::set<std::string>& edge_inputs() const { return edge_inputs_; }

    /// Throws `ReadingInterrupted` if reading is no longer wanted.
    void look() const {
        if (unwanted_ && unwanted_->load(std::memory_order_relaxed))
            throw ReadingInterrupted{};
    }

private:
    using Node = BitGraph::Node;
    using Bits = std::vector<Node>;
    struct Variable {
        Node first = BitGraph::none;
        std::size_t width = 0; // in nodes: 1 for a variable that is not bits
        bool input = false;    // of the top module, which never writes it
        bool several = false;  // shared by all instances of an interface
    };
    /// The variables that a reference may mean: the netlist is not always precise.
    struct Meant {
        std::vector<Variable*> variables;
        bool sure() const { return variables.size() == 1 && !variables[0]->several; }
    };
    struct Target {
        Variable* variable;
        bool sure;
    };
    /// The values of variables at a point in a block, where they differ from those at its end.
    using State = std::map<const Variable*, Bits>;

    void declare_top(Element module);
    void declare_other(Element module);
    const Meant& find(std::string_view name);

    void process(Element element);
    void alias(Element element);
    void combinational(Element element);
    /// Treats a function that was not inlined as callable at any time.
    void function(Element element);
    /// The role of clocks in an event of a block.
    enum class EdgeKind : std::uint8_t {
        other,   // no clock takes part
        at_end,  // a clock triggers it at the end of a cycle
        falling, // a falling clock triggers it within a cycle
        within,  // a clock triggers it within a cycle, in another way
    };
    struct Event {
        Bits bits;
        std::string_view edge; // "POS"
        bool plain;            // the event is a clock alone
    };
    /// A block triggered by events.
    struct Edges {
        Element element;
        std::vector<Event> events = {};
        std::set<std::size_t> clocks = {};          // already assigned to its registers
        std::set<std::pair<bool, bool>> added = {}; // causes already added: soft, gated
    };
    struct Clock {
        std::string name;
        bool falls_within_cycles;
        Node registers;                      // see registers_of()
        std::set<const Variable*> nets = {}; // other names of the clock
    };
    /// Repeats until nothing changes, because registers may clock other registers.
    void settle_edges();
    bool registers(Edges& edges);
    Event event_of(Element item);
    bool comes_from(const Bits& bits, std::size_t origin) const;
    bool add_clocks(Edges& edges, const Event& event);
    EdgeKind kind_of(const Event& event) const;
    void add_cause(Node cause, const Event& event, bool soft);
    void find_clocks();
    /// Returns the clock behind a gate that keeps the event at 0 while the clock is low; else null.
    const Clock* gated_clock(Element event);
    void note_drivers(Element element);
    bool is_fixed(const Variable& net, bool value, const Clock& clock,
                  std::set<const Variable*>& open);
    bool is_fixed(Element bit, bool value, const Clock& clock, std::set<const Variable*>& open);
    bool is_control(const std::string& port) const;
    /// Makes everything written in an element depend on everything read in it.
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
    /// Handles the variables that an unknown expression may write.
    void poison(Element expression, State& state);
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
    std::string top_;                                        // the prefix of names below it, "t."
    std::map<std::string_view, std::map<std::string_view, Variable>>
        others_;                              // by module, then name
    std::map<std::string_view, Meant> found_; // by reference name
    const std::atomic<bool>* unwanted_;
    Bits edge_bits_;           // of events that load registers while the module settles
    std::vector<Edges> edges_; // pending until all logic is known
    std::map<const Variable*, std::set<const Variable*>> copies_;  // the same net, or a copy of it
    std::map<const Variable*, std::set<const Variable*>> aliases_; // other names of the net
    std::map<const Variable*, std::vector<Element>> drivers_;      // values; null: other statements
};

} // namespace sme::verilator
