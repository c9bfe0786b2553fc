// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/observer_scope.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"

namespace sme::yaml {

using expr::BoundExpr;

namespace {

/// Collects actors and open ends of channels, scope by scope.
class ActorsDone {
public:
    explicit ActorsDone(Context& network)
        : network_{network}, graph_{network.design.graph}, ports_{graph_, builder_, observer_} {}

    void run() {
        add_scope(network_);
        if (!any_ || endless_ || !network_.kinds.halt || network_.diagnostics.has_errors())
            return;
        const expr::NodeId done = builder_.all_of(std::move(conditions_));
        auto halt = std::make_shared<expr::HaltCondition>();
        halt->reads_wire = ports_.reads_wire({done});
        observer_.name = "the end of all actors";
        observer_.observer = true;
        observer_.declared = graph_.declared;
        finish_observer(ports_, {{done}}, halt->program, observer_);
        observer_.kind = network_.kinds.halt(std::move(halt));
        graph_.processes.push_back(std::move(observer_));
        network_.design.may_halt = true;
    }

private:
    void add_scope(Context& scope) {
        for (const auto& [name, unit] : scope.members)
            add_unit(unit);
        for (const Context::OpenChannel& channel : scope.open_channels) {
            if (const auto queue = scope.members.find(channel.queue); queue != scope.members.end())
                add_queue(queue->second, *queue->second.queue);
            const std::string& end = channel.sent.empty() ? channel.received : channel.sent;
            if (const auto bus = scope.buses.find(end); bus != scope.buses.end())
                add_wires(bus->second);
        }
    }

    void add_unit(const Unit& unit) {
        if (unit.context && !unit.process)
            add_scope(*unit.context);
        for (const Unit& group : unit.groups)
            add_unit(group);
        if (unit.family && unit.process && unit.process->actor)
            add_actor(graph_.processes[*unit.family], *unit.process);
    }

    void add_actor(const ProcessFamily& family, const expr::ProcessView& text) {
        any_ = true;
        endless_ =
            !each_state(family, text, text.actor->done, [](expr::NodeId done) { return done; }) ||
            endless_;
    }

    /// Requires that a channel whose receiver is not an actor is empty, and that no message is
    /// offered to it.
    void add_queue(const Unit& queue, const expr::QueueNames& names) {
        for (const Unit& group : queue.groups)
            add_queue(group, names);
        if (queue.family && queue.process)
            each_state(graph_.processes[*queue.family], *queue.process, names.count,
                       [&](expr::NodeId count) {
                           return builder_.operation(expr::Op::equal, {1, false}, count,
                                                     builder_.constant(builder_.type(count), 0));
                       });
    }

    /// Requires a condition on a state of each instance; false if no state has that name.
    template <class Holds>
    bool each_state(const ProcessFamily& family, const expr::ProcessView& text,
                    const std::string& name, Holds holds) {
        const auto state = std::find_if(text.states.begin(), text.states.end(),
                                        [&](const auto& each) { return each.name == name; });
        if (state == text.states.end())
            return false;
        also(family.ports[state->read_port].buses, family.declared, holds);
        return true;
    }

    /// Requires, for a channel without a queue, that no message is offered.
    void add_wires(const BusView& end) {
        also(end.elements, end.declared,
             [&](expr::NodeId valid) { return builder_.logical_not(valid); });
    }

    /// Requires a condition on the first scalar of each element.
    template <class Holds> void also(const Segments& elements, const Location& where, Holds holds) {
        if (network_.spend(200 * std::min(elements.size(), ObserverPorts::folded_from), where))
            conditions_.push_back(ports_.all(
                elements, [&](const BoundExpr& value) { return holds(value.leaves[0]); }));
    }

    Context& network_;
    Graph& graph_;
    expr::Builder builder_;
    ProcessFamily observer_;
    ObserverPorts ports_;
    std::vector<expr::NodeId> conditions_; // the run ends in a cycle in which all hold
    bool any_ = false;
    bool endless_ = false; // an actor never ends
};

} // namespace

void load_actors_done(Context& network) {
    ActorsDone{network}.run();
}

// Observers of values: of expressions that are not in the file, and of lets.

namespace {

/// A unit that is a family of processes, and the scope of its names: for an instance of a component
/// that is a process, the scope of the component.
struct Found {
    Context* context = nullptr;
    const Unit* unit = nullptr;
};

Found seen_from(Context& context, const Unit& unit) {
    return {unit.context ? unit.context.get() : &context, &unit};
}

Found find_unit(Context& context, std::size_t family);

Found find_unit(Context& context, const Unit& unit, std::size_t family) {
    if (unit.family == family)
        return seen_from(context, unit);
    for (const Unit& group : unit.groups)
        if (const Found found = find_unit(context, group, family); found.unit)
            return found;
    return unit.context ? find_unit(*unit.context, family) : Found{};
}

Found find_unit(Context& context, std::size_t family) {
    for (const auto& [name, unit] : context.members)
        if (const Found found = find_unit(context, unit, family); found.unit)
            return found;
    return {};
}

expr::Text text_of(const std::string& written) {
    expr::Text text{std::make_shared<Source>("expression", written), written, {}};
    for (std::uint32_t k = 0; k <= written.size(); ++k)
        text.offsets.push_back(k);
    return text;
}

/// Returns the value with its own type; broken after reporting that it has no type.
BoundExpr with_type(BoundExpr value, expr::Elaborator& elaborator, const Location& where) {
    value = elaborator.loaded(std::move(value), where);
    if (value.form == expr::Form::long_number)
        return elaborator.fail(Code::needs_type, where,
                               "the type of this is not known; write it, as in u256(...)");
    if (!value.is_exact())
        return value;
    const auto type = expr::scalar_between(value.low, value.high);
    return type ? elaborator.fit(value,
                                 type->is_signed ? Type::signed_integer(type->width_bits)
                                                 : Type::unsigned_integer(type->width_bits),
                                 where, "this")
                : value;
}

/// Builds an observer of one value.
class ValueObserver {
public:
    ValueObserver(Context& network, std::string name, const Location& declared)
        : network_{network} {
        builder_.loops().from = network.loading.options.loops_from;
        observer_.name = std::move(name);
        observer_.observer = true;
        observer_.helper = true;
        observer_.declared = declared;
    }

    ObserverPorts& ports() { return ports_; }
    /// Returns the scope of a process with one observed instance.
    ObserverScope scope_of(const Found& found, std::uint64_t instance) {
        const std::uint64_t all = network_.design.graph.processes[*found.unit->family].count;
        const std::uint64_t each = all / found.context->around.count();
        return {*found.context, instance / each, ports_, *found.unit, instance};
    }
    /// Adds the observer of a typed value to the network; `kind` makes its factory.
    template <class Kind> void add(const BoundExpr& value, Kind kind) {
        auto probe = std::make_shared<expr::Probe>();
        probe->type = value.type;
        probe->reads_wire = ports_.reads_wire(value.leaves);
        std::vector<expr::Root> results;
        for (const expr::NodeId leaf : value.leaves)
            results.push_back({leaf});
        finish_observer(ports_, results, probe->program, observer_);
        for (const Memory& memory : observer_.memories)
            probe->remembers += memory.words;
        observer_.kind = kind(std::move(probe));
        if (observer_.kind)
            network_.design.graph.processes.push_back(std::move(observer_));
    }

private:
    Context& network_;
    ProcessFamily observer_;
    expr::Builder builder_;
    ObserverPorts ports_{network_.design.graph, builder_, observer_};
};

void load_probe(Context& network, const ProbeText& written, std::size_t number) {
    const expr::Text text = text_of(written.text);
    ValueObserver observer{network, fmt::format("probe {}", number), text.all()};
    const expr::AstRef ast = expr::parse_expression(text, network.diagnostics);
    if (!ast)
        return;
    const Found found = written.family ? find_unit(network, *written.family) : Found{};
    ObserverScope scope = found.unit && found.unit->process
                              ? observer.scope_of(found, written.instance)
                              : ObserverScope{network, 0, observer.ports()};
    scope.remember();
    expr::Elaborator& elaborator = scope.elaborator();
    const BoundExpr value = with_type(elaborator.evaluate(*ast), elaborator, ast->where);
    if (network.diagnostics.has_errors() || !value.ok())
        return;
    if (value.form != expr::Form::typed) {
        network.diagnostics.add(Code::needs_type, ast->where,
                                "this is no single value; write an index, a field or a state");
        return;
    }
    observer.add(value, [&](auto probe) -> std::shared_ptr<const GroupFactory> {
        return network.kinds.probe ? network.kinds.probe(std::move(probe), number) : nullptr;
    });
}

/// Observes lets of a process, in all instances.
void load_lets(Context& network, const Found& found) {
    for (const expr::LetText& let : found.unit->process->lets) {
        const std::size_t family = *found.unit->family;
        const std::uint64_t count = network.design.graph.processes[family].count;
        for (std::uint64_t k = 0; k < count && (!let.generated || let.name == "at"); ++k) {
            const std::string name = fmt::format(
                "{}.{}", network.design.graph.processes[family].instance_name(k), let.name);
            if (!network.loading.options.wants_let(name))
                continue;
            ValueObserver observer{network, "let " + name, let.declared};
            ObserverScope scope = observer.scope_of(found, k);
            const BoundExpr* const written = scope.find(let.name);
            if (!written || !written->ok() || written->form == expr::Form::long_number)
                continue;
            const BoundExpr value = with_type(*written, scope.elaborator(), let.declared);
            if (value.form == expr::Form::typed)
                observer.add(value,
                             [&](auto probe) { return network.kinds.let(std::move(probe), name); });
        }
    }
}

void load_lets(Context& network, Context& scope);

void load_lets(Context& network, Context& scope, const Unit& unit) {
    if (unit.family && unit.process)
        load_lets(network, seen_from(scope, unit));
    for (const Unit& group : unit.groups)
        load_lets(network, scope, group);
    if (unit.context)
        load_lets(network, *unit.context);
}

void load_lets(Context& network, Context& scope) {
    for (const auto& [name, unit] : scope.members)
        load_lets(network, scope, unit);
}

} // namespace

void load_probes(Context& network) {
    for (std::size_t k = 0; k < network.loading.options.probes.size(); ++k)
        load_probe(network, network.loading.options.probes[k], k);
    if (network.loading.options.wants_let && network.kinds.let && !network.diagnostics.has_errors())
        load_lets(network, network);
}

} // namespace sme::yaml
