// SPDX-License-Identifier: Apache-2.0
#include "export/modules/foreign_module.hpp"

#include <set>

#include <fmt/format.h>

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
    const bool own = binding.bundle || binding.field < 0; // what lies there has a signal of its own
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

/// What is at a port that is bound to nothing.
ExprRef at_control(const VerilogModule& module, const VerilogPort& port) {
    const ExprRef clk = rtl::at(Place::all_of("clk", 1)), rst = rtl::at(Place::all_of("rst", 1));
    for (const VerilogReset& reset : module.resets)
        if (reset.port.text == port.name)
            return reset.high ? rst : rtl::unary("~", rst);
    if (port.output || !module.is_control(port.name))
        return nullptr;
    return module.resets.empty() ? rtl::binary("&", Level::bit_and, clk, rtl::unary("~", rst))
                                 : clk;
}

} // namespace

Written foreign_module(const VerilogInstance& instance, const ProcessFamily& family) {
    const VerilogModule& module = instance.module;
    Written made;
    made.name = module.top.text;
    for (const VerilogModule::Parameter& parameter : module.parameters)
        made.given.push_back(
            {parameter.name.text, rtl::verbatim(fmt::format("{}", parameter.value))});
    made.fixed.clear();
    std::set<std::string> bound;
    for (const VerilogBinding& binding : instance.bindings) {
        made.ports.push_back(port_of(binding, family));
        bound.insert(binding.name);
    }
    for (const VerilogPort& port : instance.ports)
        if (bound.count(port.name) == 0)
            made.fixed.push_back({port.name, at_control(module, port)});
    return made;
}

} // namespace sme::hdl
