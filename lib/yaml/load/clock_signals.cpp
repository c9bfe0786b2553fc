// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/clock_signals.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "expr/program/parts.hpp"

namespace sme::yaml {

namespace {

/// Returns a program for the level of a clock in each cycle, at port 0.
std::shared_ptr<const expr::Program> level_of(const ClockRate& clock) {
    using namespace expr;
    Builder builder;
    const Scalar number{64, false}, flag{1, false};
    const auto constant = [&](std::uint64_t value) { return builder.constant(number, value); };
    const NodeId cycle = builder.leaf({Op::cycle, number, no_node, no_node, no_node, 0});
    // as in ClockRate::is_high_before
    const NodeId since = builder.operation(
        Op::remainder, number,
        builder.operation(Op::add, number, cycle, constant(clock.every - 1 - clock.offset)),
        constant(clock.every));
    const NodeId level = builder.operation(Op::less, flag, since, constant((clock.every + 1) / 2));
    PartProgram part;
    part.stores.push_back({0, 0, level, builder.boolean(false)});
    part.writes.push_back({0, ~std::uint64_t{0}});
    finish_part(builder, {{level}, {part.stores[0].fallback}}, {}, part);
    builder.program().parts.push_back(std::move(part));
    return std::make_shared<Program>(std::move(builder.program()));
}

/// Returns the name, or a longer one if a process with the domain's name has such a state.
std::string free_name(std::string name, const Graph& graph) {
    while (std::any_of(graph.buses.begin(), graph.buses.end(),
                       [&](const BusFamily& bus) { return bus.name == name; }))
        name += '_';
    return name;
}

} // namespace

void add_clock_signals(Context& context) {
    Graph& graph = context.design.graph;
    for (ClockDomain& domain : graph.domains) {
        if (domain.rate.is_every_cycle())
            continue; // the trace's own clock shows it
        BusFamily bus;
        bus.name = free_name(domain.name + ".clock", graph);
        bus.type = Type::boolean();
        bus.delay = 0;
        bus.made = bus.state = bus.traced = true;
        bus.declared = domain.declared;
        ProcessFamily process;
        process.name = "clock " + domain.name;
        process.helper = true;
        process.declared = domain.declared;
        Port port;
        port.name = "clock";
        port.output = true;
        port.type = bus.type;
        port.declared = domain.declared;
        domain.signal = graph.add(std::move(bus)).first;
        port.buses.append(static_cast<std::int64_t>(*domain.signal));
        process.ports.push_back(std::move(port));
        process.parts.emplace_back().writes.push_back({0});
        process.parts[0].may_fault = false;
        process.kind = context.kinds.process(level_of(domain.rate));
        graph.processes.push_back(std::move(process));
    }
}

} // namespace sme::yaml
