// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/observer_ports.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "expr/process/process_scope.hpp"

namespace sme::yaml {

using expr::BoundExpr;

namespace {

/// Offset of the numbers of other processes' memories, until the number of the observer's own
/// memories is known.
constexpr std::uint32_t looked_at = 1u << 31;

} // namespace

BoundExpr ObserverPorts::element(std::uint64_t element) {
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
    const expr::SlotRef slot{number, bus.type, bus.unwritten == Unwritten::error, port.name,
                             bus.declared};
    expr::add_fields(slot, fields_);
    expr::Fuel fuel;
    BoundExpr value = BoundExpr::of(bus.type, expr::Lowering{builder_, fuel}.loads(slot));
    observer_.ports.push_back(std::move(port));
    return known->second = std::move(value);
}

std::optional<BoundExpr> ObserverPorts::element(const Segments& elements, expr::NodeId position) {
    const BusFamily& bus = graph_.family_of(static_cast<std::uint64_t>(elements.at(0)));
    for (const Segment& run : elements.runs())
        for (const std::int64_t end : {run.at(run.first), run.at(run.end() - 1)}) {
            const BusFamily& other = graph_.family_of(static_cast<std::uint64_t>(end));
            if (!(*other.type == *bus.type) || other.has_marks() || other.domain != bus.domain)
                return std::nullopt;
        }
    const auto known = std::find_if(many_.begin(), many_.end(), [&](const auto& each) {
        return each.first.runs() == elements.runs();
    });
    const auto number =
        known != many_.end() ? known->second : static_cast<std::uint32_t>(observer_.ports.size());
    if (known == many_.end()) {
        Port port;
        port.name = bus.name;
        port.type = bus.type;
        port.own = bus.state;
        port.indexed = true;
        port.declared = observer_.declared;
        port.buses = elements;
        observer_.ports.push_back(std::move(port));
        many_.emplace_back(elements, number);
    }
    std::vector<expr::NodeId> leaves;
    for (const Leaf& leaf : bus.type->leaves()) {
        fields_[{number, leaf.offset}] = leaf.field;
        leaves.push_back(builder_.leaf({expr::Op::load_at, expr::Scalar::of(*leaf.type), position,
                                        number, expr::no_node, leaf.offset}));
    }
    BoundExpr value = BoundExpr::of(bus.type, std::move(leaves));
    return value;
}

expr::NodeId ObserverPorts::all(const Segments& elements,
                                const std::function<expr::NodeId(const BoundExpr&)>& holds) {
    if (elements.size() >= folded_from) {
        const expr::NodeId step = builder_.step(elements.size(), builder_.loops().open);
        if (const auto value = element(elements, builder_.convert({64, false}, step))) {
            const expr::NodeId before = builder_.carried({1, false});
            const expr::NodeId next = builder_.all_of(before, holds(*value));
            return builder_.loop_result(
                builder_.loop(
                    {elements.size(), step, {{before, builder_.boolean(true), next}}, {}}),
                0);
        }
    }
    std::vector<expr::NodeId> conditions;
    for (std::uint64_t k = 0; k < elements.size(); ++k)
        conditions.push_back(holds(element(static_cast<std::uint64_t>(elements.at(k)))));
    return builder_.all_of(std::move(conditions));
}

BoundExpr ObserverPorts::bus(const BusView& view, std::uint64_t instance, std::uint64_t place) {
    BoundExpr value = element(view.element(instance, place));
    if (!view.type->is_bundle())
        return value;
    std::vector<BoundExpr> reverse_fields;
    for (const BusView& back : view.reverse_fields)
        reverse_fields.push_back(element(back.element(instance, place)));
    return expr::bundle_value(view.type, value, reverse_fields);
}

BoundExpr ObserverPorts::memory(std::size_t family, std::uint32_t memory, std::uint64_t instance) {
    ProcessFamily& owner = graph_.processes[family];
    owner.let_writes_wait();
    const auto number = static_cast<std::uint32_t>(observer_.looks_at.size());
    observer_.looks_at.push_back({static_cast<std::uint32_t>(family), memory, instance});
    return {expr::Form::memory, std::make_shared<const expr::MemoryRef>(expr::MemoryRef{
                                    looked_at + number, owner.memories[memory].element,
                                    owner.memories[memory].dimensions})};
}

/// The word that is read is written at the end of the same cycle.
BoundExpr ObserverPorts::remember(const BoundExpr& value, std::uint64_t cycles,
                                  const Location& where) {
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
    return remembered_[{cycles, value.leaves}] = BoundExpr::of(value.type, std::move(leaves));
}

const BoundExpr* ObserverPorts::remembered(const BoundExpr& value, std::uint64_t cycles) const {
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
        if (const std::uint32_t port = expr::port_of(node); port != expr::no_node) {
            for (const Segment& run : observer_.ports[port].buses.runs())
                wired = wired || graph_.family_of(static_cast<std::uint64_t>(run.offset)).wire();
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
