// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "network/verilog.hpp"
#include "yaml/load/port_loader.hpp"

namespace sme::yaml {

/// An input of a Verilog module that is bound to an expression of buses.
struct VerilogExpression {
    const std::string& owner;   // the process, "stage.filter"
    const Shape& members;       // its own shape in its scope
    const expr::FamilyName& to; // the port
    const ValueSyntax& value;
    const VerilogPort& port; // of the module
};

/// Adds a process that computes the expression, and a wire "owner.port" that it writes. The wire as
/// the port is bound to it; nothing when something was reported.
std::optional<Binding> bind_expression(const VerilogExpression& expression, Context& context);

} // namespace sme::yaml
