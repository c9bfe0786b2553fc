// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"
#include "expr/typing/elaborator.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The inputs of an observer's program: every bus element and memory that it uses becomes a port or
/// a memory of the observer, once.
class ObserverPorts {
public:
    ObserverPorts(Graph& graph, expr::Builder& builder, ProcessFamily& observer)
        : graph_{graph}, builder_{builder}, observer_{observer} {}

    /// Families of at least this many members are observed at once, by loops over their members.
    static constexpr std::uint64_t folded_from = 256;

    /// Returns the value of a bus element.
    expr::BoundExpr element(std::uint64_t element);
    /// Returns the value of the bus element at a position known only at run time; `nullopt` unless
    /// all elements are of one type and have no marks.
    std::optional<expr::BoundExpr> element(const Segments& elements, expr::NodeId position);
    /// Returns the condition that `holds` is true for the value of each element.
    expr::NodeId all(const Segments& elements,
                     const std::function<expr::NodeId(const expr::BoundExpr&)>& holds);
    /// Returns the value at a position of a view as one instance of its scope sees it, including
    /// back fields.
    expr::BoundExpr bus(const BusView& view, std::uint64_t instance, std::uint64_t place);
    /// Returns a memory of an instance of a family of processes; the memory then buffers its writes
    /// until the observers have run.
    expr::BoundExpr memory(std::size_t family, std::uint32_t memory, std::uint64_t instance);

    /// Returns a typed value as of `cycles` cycles ago. A memory of the observer holds the last
    /// `cycles` values.
    expr::BoundExpr remember(const expr::BoundExpr& value, std::uint64_t cycles,
                             const Location& where);
    /// Returns a value that is remembered already; else null.
    const expr::BoundExpr* remembered(const expr::BoundExpr& value, std::uint64_t cycles) const;
    /// Returns the writes to these memories in every cycle.
    const std::vector<expr::MemoryWrite>& writes() const { return writes_; }
    /// Assigns each memory its number in the program; the observer's own come first. Call it after
    /// the last use.
    void number_memories();

    Graph& graph() { return graph_; }
    expr::Builder& builder() { return builder_; }
    const expr::FieldMap& fields() const { return fields_; }
    /// Returns true if these nodes depend on a wire.
    bool reads_wire(const std::vector<expr::NodeId>& nodes);

private:
    Graph& graph_;
    expr::Builder& builder_;
    ProcessFamily& observer_;
    std::map<std::uint64_t, expr::BoundExpr> elements_;    // used bus elements
    std::vector<std::pair<Segments, std::uint32_t>> many_; // used families, and their ports
    expr::FieldMap fields_;
    std::map<std::pair<std::uint64_t, std::vector<expr::NodeId>>, expr::BoundExpr> remembered_;
    std::vector<expr::MemoryWrite> writes_;
    std::vector<bool> wired_; // for each node so far: whether it needs a wire
};

/// Builds the observer's program from its results; each result is needed only when its condition
/// (or no_node) holds.
void finish_observer(ObserverPorts& ports, const std::vector<expr::Root>& results,
                     expr::Program& program, ProcessFamily& observer);

} // namespace sme::yaml
