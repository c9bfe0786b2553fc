// SPDX-License-Identifier: Apache-2.0
#include "yaml/observer_scope.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/process_scope.hpp"

namespace sme::yaml {

using expr::Value;

const Value* ObserverScope::find(const std::string& name) {
    if (const auto known = values_.find(name); known != values_.end())
        return &known->second;
    if (name == "cycle")
        return &(
            values_[name] = Value::between(
                builder_.leaf(
                    {expr::Op::cycle, {64, false}, expr::no_node, expr::no_node, expr::no_node, 0}),
                0, Integer{1} << 62));
    if (const auto found = context_.buses.find(name); found != context_.buses.end())
        return &(values_[name] = bus(context_.design.graph.buses[found->second]));
    if (const auto found = context_.processes.find(name); found != context_.processes.end())
        return &(values_[name] = process(found->second));
    return context_.scope.find(name);
}

void ObserverScope::names(std::vector<std::string>& into) const {
    context_.scope.names(into);
    for (const auto& [name, place] : context_.buses)
        into.push_back(name);
    for (const auto& [name, place] : context_.processes)
        into.push_back(name);
    into.emplace_back("cycle");
}

namespace {

std::shared_ptr<expr::Family> family_of(const char* what, const Shape& shape) {
    auto family = std::make_shared<expr::Family>();
    family->what = what;
    for (const Shape::Dimension& dimension : shape.dimensions) {
        family->lows.push_back(dimension.low);
        family->counts.push_back(dimension.count);
    }
    return family;
}

} // namespace

Value ObserverScope::bus(const BusFamily& bus) {
    if (bus.shape.dimensions.empty())
        return bus_element(bus, 0);
    auto family = family_of("bus", bus.shape);
    const auto place = static_cast<std::size_t>(&bus - context_.design.graph.buses.data());
    family->element = [this, place](std::uint64_t flat, const Location&) {
        return bus_element(context_.design.graph.buses[place], flat);
    };
    Value value;
    value.kind = Value::Kind::family;
    value.family = std::move(family);
    value.declared = bus.declared;
    return value;
}

Value ObserverScope::bus_element(const BusFamily& bus, std::uint64_t flat) {
    const auto [known, fresh] = elements_.try_emplace(bus.first + flat);
    if (!fresh)
        return known->second;
    Port port;
    port.name = bus.shape.element_name(bus.name, flat);
    port.type = bus.type;
    port.own = bus.state;
    port.declared = observer_.declared;
    port.buses.append(static_cast<std::int64_t>(bus.first + flat));
    const auto number = static_cast<std::uint32_t>(observer_.ports.size());
    Value value = expr::slot_value(builder_, number, bus.type, bus.unwritten == Unwritten::error,
                                   port.name, bus.declared, fields_);
    value.declared = bus.declared;
    observer_.ports.push_back(std::move(port));
    return known->second = std::move(value);
}

Value ObserverScope::process(std::size_t family) {
    const ProcessFamily& found = context_.design.graph.processes[family];
    const auto members_of = [this, family](std::uint64_t instance) {
        auto members = std::make_shared<expr::Members>();
        members->find = [this, family, instance](const std::string& name, const Location& where) {
            return member(family, instance, name, where);
        };
        Value value;
        value.kind = Value::Kind::members;
        value.members = std::move(members);
        return value;
    };
    if (found.shape.dimensions.empty())
        return members_of(0);
    auto all = family_of("process", found.shape);
    all->element = [members_of](std::uint64_t flat, const Location&) { return members_of(flat); };
    Value value;
    value.kind = Value::Kind::family;
    value.family = std::move(all);
    return value;
}

Value ObserverScope::member(std::size_t family, std::uint64_t instance, const std::string& name,
                            const Location& where) {
    ProcessFamily& found = context_.design.graph.processes[family];
    const std::string full = found.name + "." + name;
    std::vector<std::string> names;
    for (const BusFamily& bus : context_.design.graph.buses) {
        if (bus.state && bus.name == full)
            return bus_element(bus, instance);
        if (bus.state && bus.name.starts_with(found.name + "."))
            names.push_back(bus.name.substr(found.name.size() + 1));
    }
    for (std::uint32_t m = 0; m < found.memories.size(); ++m) {
        const Memory& memory = found.memories[m];
        names.push_back(memory.name);
        if (memory.name != name)
            continue;
        if (found.parts.empty() || found.parts.back().kind != Part::Kind::commit) {
            Part commit; // others look at it: writes wait until they have seen the cycle
            commit.kind = Part::Kind::commit;
            found.parts.push_back(std::move(commit));
        }
        const auto number = static_cast<std::uint32_t>(observer_.looks_at.size());
        observer_.looks_at.push_back({static_cast<std::uint32_t>(family), m, instance});
        Value value;
        value.kind = Value::Kind::memory;
        value.memory = std::make_shared<expr::MemoryRef>(
            expr::MemoryRef{number, memory.element, memory.dimensions});
        return value;
    }
    context_.diagnostics.add(Code::unknown_name, where,
                             fmt::format("process '{}' has no state '{}'{}", found.name, name,
                                         did_you_mean(name, names)));
    return {};
}

bool ObserverScope::reads_wire(const std::vector<expr::NodeId>& nodes) const {
    std::vector<expr::Root> roots;
    for (const expr::NodeId node : nodes)
        roots.push_back({node});
    for (const expr::NodeId id : expr::reachable(builder_, roots))
        if (const expr::Node& node = builder_.node(id); node.op == expr::Op::load) {
            const auto element = static_cast<std::uint64_t>(observer_.ports[node.a].buses.at(0));
            if (context_.design.graph.family_of(element).wire())
                return true;
        }
    return false;
}

void finish_observer(ObserverScope& scope, expr::Builder& builder,
                     const std::vector<expr::Root>& results, expr::Program& program,
                     ProcessFamily& observer) {
    expr::PartProgram part;
    for (const expr::Root& result : results)
        part.results.push_back(result.node);
    expr::finish_part(builder, results, scope.fields(), part);
    Part& made = observer.parts.emplace_back();
    for (const expr::FieldUse& use : part.reads)
        made.reads.push_back({use.port, use.fields});
    builder.program().parts.push_back(std::move(part));
    program = std::move(builder.program());
}

} // namespace sme::yaml
