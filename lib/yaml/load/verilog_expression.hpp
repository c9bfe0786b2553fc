// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "network/verilog.hpp"
#include "yaml/load/port_loader.hpp"

namespace sme::yaml {

/// An input of a Verilog module that is bound to an expression of buses.
struct VerilogExpression {
    const std::string& owner;   // process, "stage.filter"
    const Shape& members;       // its shape in its scope
    const expr::FamilyName& to; // port
    const ValueSyntax& value;
    const VerilogPort& port; // port of the module
};

/// Adds a process that computes the expression, and a wire "owner.port" that it writes. Returns the
/// wire as the binding of the port; `nullopt` after an error was reported.
std::optional<Binding> bind_expression(const VerilogExpression& expression, Context& context);

} // namespace sme::yaml
