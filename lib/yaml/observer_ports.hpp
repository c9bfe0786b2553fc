// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "expr/builder.hpp"
#include "expr/parts.hpp"
#include "yaml/context.hpp"

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

    Graph& graph() { return graph_; }
    expr::Builder& builder() { return builder_; }
    const expr::FieldMap& fields() const { return fields_; }
    /// Whether a program reads a wire.
    bool reads_wire(const std::vector<expr::NodeId>& nodes) const;

private:
    Graph& graph_;
    expr::Builder& builder_;
    ProcessFamily& observer_;
    std::map<std::uint64_t, expr::Value> elements_; // of each bus element that is used
    expr::FieldMap fields_;
};

/// Makes the observer's program of results; each is wanted when its condition (or no_node) holds.
void finish_observer(ObserverPorts& ports, const std::vector<expr::Root>& results,
                     expr::Program& program, ProcessFamily& observer);

} // namespace sme::yaml
