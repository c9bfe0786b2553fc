// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/actors_done.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "yaml/observe/observer_ports.hpp"

namespace sme::yaml {

namespace {

/// Collects actors and open ends of channels, scope by scope.
class ActorsDone {
public:
    explicit ActorsDone(Context& network)
        : network_{network}, graph_{network.design.graph}, ports_{graph_, builder_, observer_} {}

    void run() {
        add_scope(network_);
        if (!any_ || endless_ || !network_.kinds.halt)
            return;
        auto halt = std::make_shared<expr::HaltCondition>();
        halt->reads_wire = ports_.reads_wire({done_});
        observer_.name = "the end of all actors";
        observer_.observer = true;
        observer_.declared = graph_.declared;
        finish_observer(ports_, {{done_}}, halt->program, observer_);
        observer_.kind = network_.kinds.halt(std::move(halt));
        graph_.processes.push_back(std::move(observer_));
        network_.design.may_halt = true;
    }

private:
    void add_scope(Context& scope) {
        for (const auto& [name, unit] : scope.members)
            add_unit(unit);
        for (const std::string& name : scope.open_channels)
            if (const auto queue = scope.members.find(name + ".queue");
                queue != scope.members.end()) {
                add_queue(queue->second);
                if (const auto in = scope.buses.find(name + ".in"); in != scope.buses.end())
                    add_wires(in->second, scope);
            } else if (const auto bus = scope.buses.find(name); bus != scope.buses.end())
                add_wires(bus->second, scope);
    }

    void add_unit(const Unit& unit) {
        if (unit.inside && !unit.text)
            add_scope(*unit.inside);
        for (const Unit& group : unit.groups)
            add_unit(group);
        if (unit.family && unit.text && unit.text->is_actor)
            add_actor(graph_.processes[*unit.family], *unit.text);
    }

    void add_actor(const ProcessFamily& family, const expr::ProcessView& text) {
        any_ = true;
        endless_ =
            !each_state(family, text, "done", [&](expr::NodeId done) { also(done); }) || endless_;
    }

    /// Requires that a channel whose receiver is not an actor is empty, and that no message is
    /// offered to it.
    void add_queue(const Unit& queue) {
        for (const Unit& group : queue.groups)
            add_queue(group);
        if (queue.family && queue.text)
            each_state(graph_.processes[*queue.family], *queue.text, "count",
                       [&](expr::NodeId count) {
                           also(builder_.operation(expr::Op::equal, {1, false}, count,
                                                   builder_.constant(builder_.type(count), 0)));
                       });
    }

    /// Calls use(node) with the state of each instance; false if no state has that name.
    template <class Use>
    bool each_state(const ProcessFamily& family, const expr::ProcessView& text, const char* name,
                    Use use) {
        const auto state = std::find_if(text.states.begin(), text.states.end(),
                                        [&](const auto& each) { return each.name == name; });
        if (state == text.states.end())
            return false;
        if (!network_.spend(200 * family.count, family.declared))
            return true;
        const Segments& states = family.ports[state->read_port].buses;
        for (std::uint64_t k = 0; k < family.count; ++k)
            use(ports_.element(static_cast<std::uint64_t>(states.at(k))).leaves[0]);
        return true;
    }

    /// Requires, for a channel without a queue, that no message is offered.
    void add_wires(const BusView& end, const Context& scope) {
        if (!network_.spend(200 * end.shape.count() * scope.around.count(), end.declared))
            return;
        for (std::uint64_t i = 0; i < scope.around.count(); ++i)
            for (std::uint64_t k = 0; k < end.shape.count(); ++k)
                also(builder_.logical_not(ports_.element(end.element(i, k)).leaves[0])); // valid
    }

    void also(expr::NodeId condition) {
        done_ = done_ == expr::no_node ? condition : builder_.all_of(done_, condition);
    }

    Context& network_;
    Graph& graph_;
    expr::Builder builder_;
    ProcessFamily observer_;
    ObserverPorts ports_;
    expr::NodeId done_ = expr::no_node;
    bool any_ = false;
    bool endless_ = false; // an actor never ends
};

} // namespace

void load_actors_done(Context& network) {
    ActorsDone{network}.run();
}

} // namespace sme::yaml
