// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/clock_signals.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/program/parts.hpp"
#include "yaml/syntax/trees.hpp"

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
        bus.generated = bus.state = bus.traced = true;
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

// For an input x, the port is named "x.raw", and x becomes a let. Only a value that changed at the
// last edge of the writer's clock can be late: earlier changes have settled. So states that step in
// every cycle keep the value of the previous cycle ("x.last") and the value before the last change
// ("x.kept"), until an edge of the process's clock has sampled it: then "x.turn" toggles.

using expr::AstRef;

namespace {

bool can_be_sampled(const expr::PortText& port) {
    const bool is_bits = port.type->kind() == TypeKind::boolean ||
                         (port.type->is_integer() && !port.type->is_signed());
    return is_bits && !port.bundle && port.shape.is_single();
}

/// Adds metastability to one input of a process.
class MetastableInput {
public:
    MetastableInput(expr::PortText& port, Location where)
        : name_{port.name}, type_{name_tree(port.type->name(), where)}, where_{std::move(where)} {
        port.name += ".raw";
    }

    std::vector<MetastableState> states() const {
        const AstRef flag = name_tree("bool", where_);
        return {state("last", type_, true), state("kept", type_, true), state("begun", flag, true),
                state("turned", flag, true), state("turn", flag, false)};
    }

    std::vector<expr::LetText> lets() const {
        const AstRef now = name("raw");
        const AstRef old = choice_tree(
            {{not_tree(name("begun")), now},
             {binary_tree(expr::Operator::not_equal, now, name("last")), name("last")},
             {binary_tree(expr::Operator::not_equal, name("turn"), name("turned")), now},
             {nullptr, name("kept")}},
            where_);
        const AstRef changed = binary_tree(expr::Operator::bit_xor, now, name("old"));
        const AstRef any = call_tree(name_tree("random", where_), {type_});
        const AstRef late = binary_tree(expr::Operator::bit_and, changed, any);
        return {let(name_ + ".old", old),
                let(name_, binary_tree(expr::Operator::bit_xor, now, late))};
    }

    std::vector<expr::Statement> step() const {
        return {assign("last", name("raw")), assign("kept", name("old")),
                assign("begun", bool_tree(true, where_)), assign("turned", name("turn")),
                assign("turn", not_tree(name("turn")))};
    }

private:
    AstRef name(const char* part) const { return name_tree(name_ + "." + part, where_); }

    MetastableState state(const char* part, const AstRef& type, bool every_cycle) const {
        MetastableState result;
        result.name.where = where_;
        result.name.name = name_ + "." + part;
        result.declaration.where = where_;
        result.declaration.type = type;
        result.declaration.generated = true;
        result.every_cycle = every_cycle;
        return result;
    }

    expr::LetText let(std::string name, AstRef value) const {
        expr::LetText result;
        result.name = std::move(name);
        result.declared = where_;
        result.generated = true;
        result.rhs.where = where_;
        result.rhs.value = std::move(value);
        return result;
    }

    expr::Statement assign(const char* part, AstRef value) const {
        expr::Statement result;
        result.where = where_;
        result.target = name(part);
        result.rhs.where = where_;
        result.rhs.value = std::move(value);
        return result;
    }

    std::string name_;
    AstRef type_;
    Location where_;
};

} // namespace

void Metastability::check(const expr::ProcessView& text) const {
    for (const CrossingSyntax& crossing : crossings_)
        for (const expr::PortText& port : text.inputs)
            if (port.name == crossing.port.text && crossing.sampled && !can_be_sampled(port))
                context_.diagnostics.add(
                    Code::bad_domain, crossing.port.where,
                    fmt::format("what is sampled is a single bool or unsigned number, but '{}' is "
                                "{}; use std/handshake.yaml or std/async_fifo.yaml",
                                port.name,
                                port.shape.is_single()
                                    ? (port.bundle ? port.bundle : port.type)->name()
                                    : "an array of ports"));
}

std::vector<MetastableState> Metastability::add(expr::ProcessView& text) const {
    std::vector<MetastableState> states;
    for (const CrossingSyntax& crossing : crossings_)
        for (expr::PortText& port : text.inputs) {
            if (!crossing.sampled || port.name != crossing.port.text)
                continue;
            const MetastableInput input{port, crossing.port.where};
            ++context_.design.sampled_inputs;
            for (expr::LetText& let : input.lets())
                text.lets.push_back(std::move(let));
            for (MetastableState& state : input.states())
                states.push_back(std::move(state));
            for (expr::Statement& statement : input.step())
                text.step.statements.push_back(std::move(statement));
        }
    return states;
}

} // namespace sme::yaml
