// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// What an observer's program looks at: every bus element and memory that is used becomes a port or
/// a memory of the observer, once.
class ObserverPorts {
public:
    ObserverPorts(Graph& graph, expr::Builder& builder, ProcessFamily& observer)
        : graph_{graph}, builder_{builder}, observer_{observer} {}

    /// The value of a bus element.
    expr::Value element(std::uint64_t element);
    /// A place of a view as one instance of its scope sees it, back fields included.
    expr::Value bus(const BusView& view, std::uint64_t instance, std::uint64_t place);
    /// A memory of an instance of a family of processes; its writes then wait for the observers.
    expr::Value memory(std::size_t family, std::uint32_t memory, std::uint64_t instance);

    /// A typed value as it was so many cycles ago, kept in a memory of the observer's own, which
    /// holds the last `cycles` values.
    expr::Value remember(const expr::Value& value, std::uint64_t cycles, const Location& where);
    /// The same, when it is remembered already; else null.
    const expr::Value* remembered(const expr::Value& value, std::uint64_t cycles) const;
    /// What is written to those memories in every cycle.
    const std::vector<expr::MemoryWrite>& writes() const { return writes_; }
    /// Own memories come first: gives each its number in the program. After the last use.
    void number_memories();

    Graph& graph() { return graph_; }
    expr::Builder& builder() { return builder_; }
    const expr::FieldMap& fields() const { return fields_; }
    /// Whether what these nodes need reads a wire.
    bool reads_wire(const std::vector<expr::NodeId>& nodes);

private:
    Graph& graph_;
    expr::Builder& builder_;
    ProcessFamily& observer_;
    std::map<std::uint64_t, expr::Value> elements_; // of each bus element that is used
    expr::FieldMap fields_;
    std::map<std::pair<std::uint64_t, std::vector<expr::NodeId>>, expr::Value> remembered_;
    std::vector<expr::MemoryWrite> writes_;
    std::vector<bool> wired_; // of each node so far: whether it needs a wire
};

/// Members of a shape by their indices, each of them made when it is wanted; `what` they are
/// called.
expr::Value family_of(const char* what, const Shape& shape, const Location& declared,
                      std::function<expr::Value(std::uint64_t flat)> element,
                      Diagnostics& diagnostics);

/// Makes the observer's program of results; each is wanted when its condition (or no_node) holds.
void finish_observer(ObserverPorts& ports, const std::vector<expr::Root>& results,
                     expr::Program& program, ProcessFamily& observer);

} // namespace sme::yaml
