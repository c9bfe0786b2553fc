// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

/// The signals inside the Verilog module of a process, as observers see them: "reg_pc",
/// "u_alu.stage[1].sum", "mem[5]". A wire of the process carries each signal that is named.
class ModuleInsides {
public:
    /// `number` is the index of the process in its family.
    ModuleInsides(Context& context, ObserverPorts& ports, const Unit& unit, std::uint64_t number)
        : context_{&context}, ports_{&ports}, unit_{&unit}, number_{number} {}

    /// Returns the value of a name in the module; reports an unknown name.
    expr::BoundExpr find(const std::string& name, const Location& where) const {
        return find("", name, where);
    }
    /// Returns the value of a name in the module, or `nullopt` if unknown.
    std::optional<expr::BoundExpr> look(const std::string& name) const {
        return at(name, unit_->declared);
    }

private:
    const std::vector<VerilogSignal>* all() const;
    expr::BoundExpr find(const std::string& scope, const std::string& name,
                         const Location& where) const;
    std::optional<expr::BoundExpr> at(const std::string& path, const Location& where) const;
    expr::BoundExpr signal(const VerilogSignal& signal, const Location& where) const;
    expr::BoundExpr shown(const VerilogSignal& signal, std::uint64_t element) const;
    expr::BoundExpr scope(const std::string& path) const;
    expr::BoundExpr array(const std::string& path) const;
    std::vector<std::string> names_in(const std::string& scope) const;

    Context* context_;
    ObserverPorts* ports_;
    const Unit* unit_;
    std::uint64_t number_;
};

} // namespace sme::yaml
