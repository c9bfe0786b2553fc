// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/expressions/term.hpp"
#include "export/modules/scope_module.hpp"

namespace sme::hdl {

/// What an element of a port is connected to, for each member of a family of instances.
struct Wiring {
    std::vector<Place> places; // of each member; empty: a constant
    std::vector<Words> values; // of each member, when it is a constant
};

/// How a family is bound, as expressions that a generate loop can hold.
class LoopIndex {
public:
    LoopIndex(const expr::ModuleView& scope, const expr::UnitText& unit, ModuleText& module,
              std::vector<std::string> variables)
        : scope_{scope}, unit_{unit}, module_{module}, variables_{std::move(variables)} {}

    /// The first bit of what element `element` of a port is bound to, as an expression of the
    /// loop's variables; nothing when there is no such expression.
    std::optional<ExprRef> low_bit(const ModulePort& port, std::uint64_t element,
                                   const std::vector<Place>& places);
    /// The number of the member.
    ExprRef member() const;

private:
    using Known = std::vector<std::pair<std::string, Integer>>;
    std::optional<ExprRef> as_written(const ModulePort& port, std::uint64_t element,
                                      const std::vector<Place>& places);
    std::optional<Integer> number(const expr::Ast& ast, const Known& known) const;
    std::optional<ExprRef> index(const expr::Ast& ast, const Known& known, int around);
    std::optional<Integer> parameter(const std::string& name) const;

    const expr::ModuleView& scope_;
    const expr::UnitText& unit_;
    ModuleText& module_;
    std::vector<std::string> variables_; // of the loops, outermost first
};

/// What a port is connected to, the lowest bits first: its elements, and where a foreign module
/// carries several fields in one port that are vectors here, each of them.
std::vector<std::pair<std::uint64_t, ModulePort>> pieces_of(const expr::UnitText& unit,
                                                            std::uint64_t instance,
                                                            const Graph& graph,
                                                            const ModulePort& port, bool packed);

/// `width` bits from `low` on.
Words slice_of(const Words& all, std::uint64_t low, std::uint64_t width);

} // namespace sme::hdl
