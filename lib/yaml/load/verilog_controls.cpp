// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/verilog_controls.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/scope/clock_rate.hpp"

namespace sme::yaml {

namespace {

void read_cycles(const Node& node, Context& context, VerilogReset& into) {
    const expr::AstRef ast = expr::parse_expression(node.text, context.diagnostics);
    if (!ast)
        return;
    Constants constants{context.scope, context.diagnostics};
    const auto count = constants.elaborator().constant(*ast, "the cycles of a reset");
    constexpr Integer most = 1'000'000;
    if (count && (*count < 1 || *count > most))
        context.diagnostics.add(Code::bad_cycles, node.where,
                                fmt::format("a reset has 1 to {} cycles, but this is {}",
                                            to_string(most), to_string(*count)));
    else if (count)
        into.cycles = static_cast<unsigned>(*count);
}

void read_reset(const Node& node, Context& context, VerilogModule& into) {
    Diagnostics& diagnostics = context.diagnostics;
    VerilogReset made;
    made.stated = !node.is_text() && node.find("active");
    if (node.is_text())
        read_module_name(node, "reset", made.port, diagnostics);
    else if (is_map_or_empty(node, "a name or a map with port, active and cycles", diagnostics) &&
             check_keys(node, format::verilog_reset, "'reset'", diagnostics)) {
        if (const Node* port = node.find("port"))
            read_module_name(*port, "reset", made.port, diagnostics);
        else
            diagnostics.add(Code::missing_key, node.where, "'reset' needs 'port'");
        if (const Node* active = node.find("active")) {
            made.high = active->text.text == "high";
            if (!made.high && active->text.text != "low")
                diagnostics.add(Code::wrong_shape, active->where,
                                "a reset is active 'high' or 'low'");
        }
        if (const Node* cycles = node.find("cycles"))
            read_cycles(*cycles, context, made);
    }
    if (!made.port.text.empty())
        into.resets.push_back(std::move(made));
}

/// Reads one of the clocks of a module: a domain of the scope, or a rate.
void read_clock(Placed port, const Node& value, Context& context, VerilogModule& into) {
    const auto& known = context.domains.known;
    if (const auto domain = value.is_text() ? known.find(value.text.text) : known.end();
        domain != known.end())
        into.clocks.push_back(
            {std::move(port), context.design.graph.rate_of(domain->second), domain->second});
    else if (const auto rate = read_clock_rate(value, context))
        into.clocks.push_back({std::move(port), *rate});
}

} // namespace

void read_module_name(const Node& node, const char* key, Placed& into, Diagnostics& diagnostics) {
    if (!node.is_text())
        return wrong_shape(node, "a name", diagnostics);
    if (is_name(node, fmt::format("the '{}' of a module", key), diagnostics))
        into = {node.text.text, node.where};
}

void read_clocks(const Node& node, Context& context, VerilogModule& into) {
    Placed port;
    if (node.is_text()) {
        read_module_name(node, "clock", port, context.diagnostics);
        into.clocks.push_back({port, into.rate, into.domain});
        return;
    }
    if (!is_map_or_empty(node, "a port, or a map of ports as in {a: every 1, b: every 2 offset 1}",
                         context.diagnostics))
        return;
    into.clocks_named = true;
    for (const auto& [key, value] : node.entries)
        if (is_name(key, "a clock of a module", context.diagnostics))
            read_clock({key.text.text, key.where}, value, context, into);
}

void read_resets(const Node& node, Context& context, VerilogModule& into) {
    if (!node.is_list())
        return read_reset(node, context, into);
    for (const Node& item : node.items)
        read_reset(item, context, into);
}

} // namespace sme::yaml
