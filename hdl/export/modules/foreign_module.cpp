// SPDX-License-Identifier: Apache-2.0
#include "export/modules/foreign_module.hpp"

#include <set>

#include <fmt/format.h>

#include "export/clock_ports.hpp"
#include "export/expressions/term.hpp"
#include "export/modules/port_fields.hpp"

namespace sme::hdl {

namespace {

ModulePort port_of(const VerilogBinding& binding, const ProcessFamily& family) {
    ModulePort made;
    TypeRef type = family.ports[binding.port].type;
    std::uint64_t low = 0; // the first field is leftmost
    const auto go_into = [&](std::size_t field) {
        low += low_bit_of(*type, static_cast<int>(field));
        type = TypeRef{type->fields()[field].type};
    };
    if (binding.field >= 0)
        go_into(static_cast<std::size_t>(binding.field));
    const bool own = binding.bundle || binding.field < 0; // this part has a signal of its own
    if (own)
        low = 0;
    for (const std::uint32_t field : binding.inner)
        go_into(field);
    made.name = made.port = binding.name;
    made.output = binding.output;
    made.width = type->width_bits();
    made.count = binding.count;
    made.field = binding.bundle ? binding.field : -1;
    if (!own || !binding.inner.empty())
        made.slice = low;
    made.graph_port = binding.port;
    return made;
}

/// Returns the signal for a port without a binding.
ExprRef at_control(const VerilogModule& module, const VerilogPort& port,
                   const expr::ModuleView& scope) {
    const auto bit = [](const std::string& name) { return rtl::at(Place::all_of(name, 1)); };
    const std::vector<VerilogClock> clocks = module.known_clocks();
    for (const VerilogReset& reset : module.resets)
        if (reset.port.text == port.name) {
            const ExprRef rst =
                bit(clock_ports(scope, clocks.empty() ? no_domain : clocks[0].domain).reset);
            return reset.high ? rst : rtl::unary("~", rst);
        }
    for (const VerilogClock& clock : clocks)
        if (clock.port.text == port.name && !port.output) {
            const ClockPorts ports = clock_ports(scope, clock.domain);
            const ExprRef clk = bit(ports.clock);
            return module.resets.empty()
                       ? rtl::binary("&", Level::bit_and, clk, rtl::unary("~", bit(ports.reset)))
                       : clk;
        }
    return nullptr;
}

} // namespace

rtl::Module foreign_shell(const VerilogInstance& instance) {
    rtl::Module made;
    made.name = instance.module.top.text;
    for (const VerilogModule::Parameter& each : instance.module.parameters)
        made.parameters.push_back({{each.name.text, 32, true, true}, rtl::verbatim(each.value)});
    for (const VerilogPort& port : instance.ports)
        made.ports.push_back({{port.name, port.width}, port.output});
    return made;
}

Written foreign_module(const VerilogInstance& instance, const ProcessFamily& family,
                       const expr::ModuleView& scope) {
    const VerilogModule& module = instance.module;
    Written made;
    made.name = module.top.text;
    for (const VerilogModule::Parameter& parameter : module.parameters)
        made.given.push_back(
            {parameter.name.text, rtl::verbatim(fmt::format("{}", parameter.value))});
    std::set<std::string> bound;
    for (const VerilogBinding& binding : instance.bindings) {
        made.ports.push_back(port_of(binding, family));
        bound.insert(binding.name);
    }
    for (const VerilogPort& port : instance.ports)
        if (bound.count(port.name) == 0)
            made.fixed.push_back({port.name, at_control(module, port, scope)});
    return made;
}

} // namespace sme::hdl
