// SPDX-License-Identifier: Apache-2.0
#include "report/check_signals.hpp"

#include <algorithm>
#include <unordered_set>

namespace sme::report {

namespace {

using expr::Node;
using expr::NodeId;
using expr::Op;

/// The observer that evaluates the checks, or null.
const ProcessFamily* checks_of(const Graph& graph) {
    for (const ProcessFamily& family : graph.processes)
        if (family.observer && family.file.empty() && family.name == "checks")
            return &family;
    return nullptr;
}

/// The observer of a recording, or null.
const ProcessFamily* recorder_of(const Graph& graph, std::size_t number) {
    for (const ProcessFamily& family : graph.processes)
        if (family.observer && !family.file.empty() && number-- == 0)
            return &family;
    return nullptr;
}

/// Visits all nodes that a node depends on.
class Loads {
public:
    explicit Loads(const expr::Program& program) : program_{program} {}

    void visit(NodeId id) {
        if (id == expr::no_node || !seen_.insert(id).second)
            return;
        const Node& node = program_.nodes[id];
        if (expr::port_of(node) != expr::no_node) {
            found_.push_back(&node);
            return;
        }
        if (node.op == Op::memory_read) // the value that `past` stores
            visit_writes(node.b);
        const unsigned operands = expr::row_of(node.op).operands;
        const NodeId inputs[] = {node.a, node.b, node.c};
        for (unsigned k = 0; k < std::min(operands, 3u); ++k)
            visit(inputs[k]);
    }
    const std::vector<const Node*>& found() const { return found_; }

private:
    void visit_writes(std::uint32_t memory) {
        for (const expr::PartProgram& part : program_.parts)
            for (const expr::MemoryWrite& write : part.memory_writes)
                if (write.memory == memory)
                    visit(write.value);
    }

    const expr::Program& program_;
    std::unordered_set<NodeId> seen_;
    std::vector<const Node*> found_;
};

/// The name of the scalar at an offset in a slot; empty if there is no scalar at it.
std::string scalar_at(const BusFamily& bus, std::uint64_t element, std::uint64_t offset) {
    for (const Leaf& scalar : bus.type->scalars())
        if (scalar.offset <= offset && offset < scalar.offset + scalar.type->size())
            return bus.element_name(element) + scalar.path;
    return {};
}

/// The scalars that an observer loads; of those selected by a position, the one at `instance`.
std::vector<std::string> names_of(const Loads& loads, const ProcessFamily& observer,
                                  const Graph& graph, std::uint64_t instance) {
    std::vector<std::string> names;
    for (const Node* load : loads.found()) {
        const std::uint32_t number = expr::port_of(*load);
        if (number >= observer.ports.size())
            continue;
        const Port& port = observer.ports[number];
        const auto element = static_cast<std::uint64_t>(port.buses.at(port.indexed ? instance : 0));
        const std::string name = scalar_at(graph.family_of(element), element, load->immediate);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    return names;
}

} // namespace

std::vector<std::string> signals_of(const expr::CheckSet& set, const expr::Check& check,
                                    std::uint64_t instance, const Graph& graph) {
    const ProcessFamily* observer = checks_of(graph);
    if (!observer)
        return {};
    Loads loads{set.program};
    for (const expr::Operand& operand : check.operands)
        for (const NodeId leaf : operand.leaves)
            loads.visit(leaf);
    loads.visit(check.condition);
    loads.visit(check.temporal.then);
    return names_of(loads, *observer, graph, instance);
}

std::vector<std::string> signals_of(const expr::Recording& recording, std::size_t number,
                                    const Graph& graph) {
    const ProcessFamily* observer = recorder_of(graph, number);
    if (!observer || recording.program.parts.empty())
        return {};
    Loads loads{recording.program};
    for (const NodeId result : recording.program.parts[0].results)
        loads.visit(result);
    return names_of(loads, *observer, graph, 0);
}

} // namespace sme::report
