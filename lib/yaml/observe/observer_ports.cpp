// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/observer_ports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/process/process_scope.hpp"

namespace sme::yaml {

using expr::Value;

namespace {

/// Offset of the numbers of other processes' memories, until the number of the observer's own
/// memories is known.
constexpr std::uint32_t looked_at = 1u << 31;

} // namespace

Value family_of(const char* what, const Shape& shape, const Location& declared,
                std::function<Value(std::uint64_t flat)> element, Diagnostics& diagnostics) {
    auto family = std::make_shared<expr::Family>();
    family->what = what;
    for (const Shape::Dimension& dimension : shape.dimensions) {
        family->lows.push_back(dimension.low);
        family->counts.push_back(dimension.count);
    }
    family->element = [shape, element = std::move(element), &diagnostics](std::uint64_t at,
                                                                          const Location& where) {
        if (const std::optional<std::uint64_t> flat = shape.member(at))
            return element(*flat);
        diagnostics.add(Code::bad_index, where, "'where' drops this member of the family");
        return Value{};
    };
    Value value;
    value.kind = Value::Kind::family;
    value.family = std::move(family);
    value.declared = declared;
    return value;
}

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
    owner.let_writes_wait();
    const auto number = static_cast<std::uint32_t>(observer_.looks_at.size());
    observer_.looks_at.push_back({static_cast<std::uint32_t>(family), memory, instance});
    Value value;
    value.kind = Value::Kind::memory;
    value.memory = std::make_shared<expr::MemoryRef>(expr::MemoryRef{
        looked_at + number, owner.memories[memory].element, owner.memories[memory].dimensions});
    return value;
}

/// The word that is read is written at the end of the same cycle.
Value ObserverPorts::remember(const Value& value, std::uint64_t cycles, const Location& where) {
    const auto number = static_cast<std::uint32_t>(observer_.memories.size());
    Memory memory;
    memory.name = fmt::format("past {}", number);
    memory.element = value.type;
    memory.words = cycles;
    memory.dimensions = {cycles};
    memory.declared = where;
    observer_.memories.push_back(std::move(memory));
    const expr::Scalar word{64, false};
    const expr::NodeId now =
        builder_.leaf({expr::Op::cycle, word, expr::no_node, expr::no_node, expr::no_node, 0});
    const expr::NodeId at = cycles == 1 ? builder_.constant(word, 0)
                                        : builder_.operation(expr::Op::remainder, word, now,
                                                             builder_.constant(word, cycles));
    std::vector<expr::NodeId> leaves;
    const std::vector<Leaf> places = value.type->leaves();
    for (std::size_t k = 0; k < places.size(); ++k) {
        leaves.push_back(builder_.leaf({expr::Op::memory_read, expr::Scalar::of(*places[k].type),
                                        at, number, expr::no_node, places[k].offset}));
        writes_.push_back({number, builder_.boolean(true), at,
                           static_cast<std::uint32_t>(places[k].offset), value.leaves[k]});
    }
    return remembered_[{cycles, value.leaves}] = Value::of(value.type, std::move(leaves));
}

const Value* ObserverPorts::remembered(const Value& value, std::uint64_t cycles) const {
    const auto known = remembered_.find({cycles, value.leaves});
    return known != remembered_.end() && *known->second.type == *value.type ? &known->second
                                                                            : nullptr;
}

void ObserverPorts::number_memories() {
    const auto own = static_cast<std::uint32_t>(observer_.memories.size());
    for (expr::Node& node : builder_.program().nodes)
        if (node.op == expr::Op::memory_read && node.b >= looked_at)
            node.b = node.b - looked_at + own;
}

/// Visits each node only once over all calls: operands precede their users.
bool ObserverPorts::reads_wire(const std::vector<expr::NodeId>& nodes) {
    for (auto id = static_cast<expr::NodeId>(wired_.size()); id < builder_.size(); ++id) {
        const expr::Node& node = builder_.node(id);
        bool wired = false;
        if (node.op == expr::Op::load) {
            const auto element = static_cast<std::uint64_t>(observer_.ports[node.a].buses.at(0));
            wired = graph_.family_of(element).wire();
        } else if (node.op == expr::Op::loop)
            for (const expr::Loop::Carried& carried : builder_.loop_at(id).carried)
                wired = wired || (carried.start < id && wired_[carried.start]) ||
                        (carried.next < id && wired_[carried.next]);
        else
            expr::for_each_operand(node,
                                   [&](expr::NodeId operand) { wired = wired || wired_[operand]; });
        wired_.push_back(wired);
    }
    return std::any_of(nodes.begin(), nodes.end(), [&](expr::NodeId id) { return wired_[id]; });
}

void finish_observer(ObserverPorts& ports, const std::vector<expr::Root>& results,
                     expr::Program& program, ProcessFamily& observer) {
    expr::PartProgram part;
    for (const expr::Root& result : results)
        part.results.push_back(result.node);
    std::vector<expr::Root> roots = results;
    part.memory_writes = ports.writes();
    for (const expr::MemoryWrite& write : part.memory_writes)
        for (const expr::NodeId node : {write.enable, write.word, write.value})
            roots.push_back({node});
    expr::finish_part(ports.builder(), roots, ports.fields(), part);
    ports.number_memories();
    Part& made = observer.parts.emplace_back();
    for (const expr::FieldUse& use : part.reads)
        made.reads.push_back({use.port, use.fields});
    ports.builder().program().parts.push_back(std::move(part));
    program = std::move(ports.builder().program());
}

} // namespace sme::yaml
