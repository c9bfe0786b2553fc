// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/modules/hdl_value.hpp"
#include "export/modules/module_set.hpp"
#include "export/modules/scope_module.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/verilog.hpp"
#include "sme/type.hpp"

namespace sme::hdl {

/// A field of a bus with a vector of its own.
struct PortField {
    std::string name; // "data"
    TypeRef type;
    int field = -1; // among the forward fields; -1: a back field
    int back = -1;  // among the back fields; -1: a forward field
};

/// Returns the fields of a bundle, and of a struct unless it is `packed` into one vector. Empty for
/// other types.
std::vector<PortField> port_fields(const Type& type, bool packed);

/// Returns the lowest bit of forward field `field` in a struct packed into one vector.
std::uint64_t low_bit_of(const Type& type, int field);

/// The connection of an element of a port, for each member of a family of instances.
struct Wiring {
    std::vector<Place> places; // per member; empty: a constant
    std::vector<Words> values; // per member, if it is a constant
};

/// The bindings of a family, as expressions for a generate loop.
class LoopIndex {
public:
    LoopIndex(const expr::ModuleView& scope, const expr::Unit& unit, ModuleText& module,
              std::vector<std::string> variables)
        : scope_{scope}, unit_{unit}, module_{module}, variables_{std::move(variables)} {}

    /// Returns the first bit to which element `element` of a port is bound, as an expression of the
    /// loop variables; `nullopt` if no such expression exists.
    std::optional<ExprRef> low_bit(const ModulePort& port, std::uint64_t element,
                                   const std::vector<Place>& places);
    /// Returns the number of the member.
    ExprRef member() const;

private:
    using Known = std::vector<std::pair<std::string, Integer>>;
    std::optional<ExprRef> as_written(const ModulePort& port, std::uint64_t element,
                                      const std::vector<Place>& places);
    std::optional<Integer> number(const expr::Ast& ast, const Known& known) const;
    std::optional<ExprRef> index(const expr::Ast& ast, const Known& known, int around);
    std::optional<Integer> parameter(const std::string& name) const;

    const expr::ModuleView& scope_;
    const expr::Unit& unit_;
    ModuleText& module_;
    std::vector<std::string> variables_; // of the loops, outermost first
};

/// Returns the pieces of a port's connection, lowest bits first: its elements, or each field if a
/// foreign module carries in one port several fields that are vectors here.
std::vector<std::pair<std::uint64_t, ModulePort>> pieces_of(const expr::Unit& unit,
                                                            std::uint64_t instance,
                                                            const Graph& graph,
                                                            const ModulePort& port, bool packed);

/// Returns `width` bits from `low` on.
Words slice_of(const Words& all, std::uint64_t low, std::uint64_t width);

/// Writes the instances of a Verilog module that is a process of the network. A module with a clock
/// but no reset is not clocked while the network is in reset, as in a run.
WrittenModule foreign_module(const VerilogInstance& instance, const ProcessFamily& family,
                             const expr::ModuleView& scope);
/// Returns its ports and given parameters, without its contents. Ports are unsigned.
rtl::Module foreign_shell(const VerilogInstance& instance);

} // namespace sme::hdl
