// SPDX-License-Identifier: Apache-2.0
#include "yaml/observer_ports.hpp"

#include "expr/process_scope.hpp"

namespace sme::yaml {

using expr::Value;

Value ObserverPorts::element(std::uint64_t element) {
    const auto [known, fresh] = elements_.try_emplace(element);
    if (!fresh)
        return known->second;
    const BusFamily& bus = graph_.family_of(element);
    Port port;
    port.name = bus.element_name(element);
    port.type = bus.type;
    port.own = bus.state;
    port.declared = observer_.declared;
    port.buses.append(static_cast<std::int64_t>(element));
    const auto number = static_cast<std::uint32_t>(observer_.ports.size());
    Value value = expr::slot_value(builder_, number, bus.type, bus.unwritten == Unwritten::error,
                                   port.name, bus.declared, fields_);
    value.declared = bus.declared;
    observer_.ports.push_back(std::move(port));
    return known->second = std::move(value);
}

Value ObserverPorts::bus(const BusView& view, std::uint64_t instance, std::uint64_t place) {
    Value value = element(view.element(instance, place));
    if (!view.type->is_bundle())
        return value;
    std::vector<Value> backs;
    for (const BusView& back : view.backs)
        backs.push_back(element(back.element(instance, place)));
    return expr::bundle_value(view.type, value, backs);
}

Value ObserverPorts::memory(std::size_t family, std::uint32_t memory, std::uint64_t instance) {
    ProcessFamily& owner = graph_.processes[family];
    if (owner.parts.empty() || owner.parts.back().kind != Part::Kind::commit) {
        Part commit; // others look at it: writes wait until they have seen the cycle
        commit.kind = Part::Kind::commit;
        owner.parts.push_back(std::move(commit));
    }
    const auto number = static_cast<std::uint32_t>(observer_.looks_at.size());
    observer_.looks_at.push_back({static_cast<std::uint32_t>(family), memory, instance});
    Value value;
    value.kind = Value::Kind::memory;
    value.memory = std::make_shared<expr::MemoryRef>(
        expr::MemoryRef{number, owner.memories[memory].element, owner.memories[memory].dimensions});
    return value;
}

bool ObserverPorts::reads_wire(const std::vector<expr::NodeId>& nodes) const {
    std::vector<expr::Root> roots;
    for (const expr::NodeId node : nodes)
        roots.push_back({node});
    for (const expr::NodeId id : expr::reachable(builder_, roots))
        if (const expr::Node& node = builder_.node(id); node.op == expr::Op::load) {
            const auto element = static_cast<std::uint64_t>(observer_.ports[node.a].buses.at(0));
            if (graph_.family_of(element).wire())
                return true;
        }
    return false;
}

void finish_observer(ObserverPorts& ports, const std::vector<expr::Root>& results,
                     expr::Program& program, ProcessFamily& observer) {
    expr::PartProgram part;
    for (const expr::Root& result : results)
        part.results.push_back(result.node);
    expr::finish_part(ports.builder(), results, ports.fields(), part);
    Part& made = observer.parts.emplace_back();
    for (const expr::FieldUse& use : part.reads)
        made.reads.push_back({use.port, use.fields});
    ports.builder().program().parts.push_back(std::move(part));
    program = std::move(ports.builder().program());
}

} // namespace sme::yaml
