// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/binding.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::verilator {

namespace {

const char* direction(bool output) {
    return output ? "an output" : "an input";
}

void add_uses(const BoundPort& port, std::vector<PortUse>& uses) {
    const std::uint64_t fields = port.binding.field < 0
                                     ? ~std::uint64_t{0}
                                     : std::uint64_t{1} << std::min(port.binding.field, 63);
    for (std::uint64_t k = 0; k < port.binding.count; ++k)
        uses.push_back({static_cast<std::uint32_t>(port.binding.port + k), fields});
}

class Binder {
public:
    Binder(const Netlist& netlist, VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
           Diagnostics& diagnostics)
        : netlist_{netlist}, sources_{sources}, plan_{plan}, family_{family}, diagnostics_{
                                                                                  diagnostics} {}

    bool run(const std::vector<VerilogBinding>& bindings) {
        const std::size_t errors = diagnostics_.errors();
        for (const VerilogClock& clock : plan_.module.clocks) {
            if (const std::string problem = clock.rate.problem(); !problem.empty())
                report(clock.port.where, problem, nullptr);
            if (const auto port = control(clock.port, "clock"))
                plan_.clocks.push_back({*port, clock.rate});
        }
        for (const VerilogReset& reset : plan_.module.resets)
            if (const auto port = control(reset.port, "reset")) {
                look_at_level(reset, netlist_.ports[*port]);
                plan_.resets.push_back({*port, reset.high});
            }
        for (const VerilogBinding& binding : bindings)
            bind(binding);
        look_for_unbound();
        if (diagnostics_.errors() != errors)
            return false;
        for (const BoundPort& port : plan_.ports)
            if (port.binding.output)
                look_at_timing(port);
        if (diagnostics_.errors() != errors)
            return false;
        make_parts();
        return true;
    }

private:
    std::string module() const { return fmt::format("module '{}'", plan_.module.top.text); }
    Location declared(const ModulePort& port) {
        return sources_.at(port.file, port.line, port.column);
    }
    std::size_t number(const ModulePort& port) const {
        return static_cast<std::size_t>(&port - netlist_.ports.data());
    }
    Diagnostic& report(const Location& where, std::string message, const ModulePort* port,
                       Code code = Code::verilog_port) {
        Diagnostic& result = diagnostics_.add(code, where, std::move(message));
        if (port)
            result.note(declared(*port),
                        fmt::format("port '{}' is declared here", port->port.name));
        return result;
    }

    const ModulePort* find(const std::string& name, const Location& where) {
        const ModulePort* const port = netlist_.find(name);
        if (port)
            return port;
        std::vector<std::string> names;
        for (const ModulePort& other : netlist_.ports)
            names.push_back(other.port.name);
        const ModulePort* const part = netlist_.find(name + "_in");
        report(
            where,
            part && part->port.of_inout
                ? fmt::format("port '{0}' of {1} is inout; bind '{0}_in' and '{0}_enable', what is "
                              "driven into it, and '{0}_out', what is seen there",
                              name, module())
                : fmt::format("{} has no port '{}'{}", module(), name, did_you_mean(name, names)),
            nullptr);
        return nullptr;
    }

    /// Tests for a clock or a reset: an input of one bit.
    std::optional<std::size_t> control(const Placed& name, const char* what) {
        const ModulePort* const port = find(name.text, name.where);
        if (!port)
            return std::nullopt;
        if (!is_control_port(*port)) {
            report(name.where,
                   fmt::format("'{}' is {} of {} bit{}, but a {} is an input of one bit", name.text,
                               direction(port->port.output), port->port.width,
                               port->port.width == 1 ? "" : "s", what),
                   port);
            return std::nullopt;
        }
        used_.insert(port);
        if (const auto [other, result] = controls_.emplace(port, what); !result) {
            report(name.where,
                   fmt::format("port '{}' is named twice, as a {} and as a {}; name it once",
                               name.text, other->second, what),
                   port);
            return std::nullopt;
        }
        return number(*port);
    }

    void look_at_level(const VerilogReset& reset, const ModulePort& port) {
        if (reset.high && !reset.stated && is_active_low(reset.port.text))
            report(reset.port.where, high_advice(reset.port.text, module()), &port,
                   Code::verilog_control);
    }
    void look_at_level(const VerilogBinding& binding, const ModulePort& port) {
        if (binding.unbound && (port.edges || is_usually(port, "reset")))
            report(binding.where,
                   fmt::format("input '{}' of {} keeps the value of 'unbound', but is a clock or a "
                               "reset by {}{}",
                               binding.name, module(),
                               port.edges ? "what the module does with it" : "its name",
                               control_advice(plan_.module, netlist_, {&port}, "; write ")),
                   &port, Code::verilog_control);
    }

    void bind(const VerilogBinding& binding) {
        const ModulePort* const port = find(binding.name, binding.where);
        if (!port)
            return;
        if (const auto control = controls_.find(port); control != controls_.end())
            return bound_control(binding, *port, control->second);
        if (!used_.insert(port).second) {
            report(binding.where,
                   fmt::format("port '{}' of {} is bound twice", binding.name, module()), port);
            return;
        }
        if (port->port.output != binding.output) {
            report(binding.where,
                   fmt::format("port '{}' of {} is {}, but {}", binding.name, module(),
                               direction(port->port.output), otherwise(binding)),
                   port);
            return;
        }
        BoundPort bound;
        bound.binding = binding;
        bound.type = family_.ports[binding.port].type;
        bound.number = number(*port);
        bound.width = port->port.width;
        if (binding.field >= 0)
            go_into(bound, static_cast<std::size_t>(binding.field));
        for (const std::uint32_t field : binding.inner)
            go_into(bound, field);
        if (bound.type->width_bits() * binding.count != port->port.width)
            return misfit(bound, *port);
        bound.elements = port->port.elements;
        if (const std::string why = shape_difference(bound, *port); !why.empty()) {
            report(binding.where, fmt::format("port '{}' of {} {}", binding.name, module(), why),
                   port);
            return;
        }
        const bool integer = binding.count == 1 && bound.type->is_numeric() && port->port.width > 1;
        if (integer && bound.type->is_signed() != port->port.is_signed)
            report(binding.where,
                   fmt::format("port '{}' of {} is {}, but its bus is {}", binding.name, module(),
                               port->port.is_signed ? "signed" : "not signed", bound.type->name()),
                   port, Code::verilog_sign);
        look_at_level(binding, *port);
        plan_.ports.push_back(std::move(bound));
    }

    void bound_control(const VerilogBinding& binding, const ModulePort& port, const char* role) {
        const bool clock = std::string_view{role} == "clock";
        const std::string own = plan_.module.clocks.size() == 1
                                    ? std::string{"write 'clock: {}'"}
                                    : fmt::format("take '{}' out of 'clock'", binding.name);
        report(binding.where,
               fmt::format("port '{}' of {} is a {}, and bound as well; take it out of 'in', or {}",
                           binding.name, module(), role,
                           clock ? own + " if another process makes that clock"
                                 : "out of 'reset' if another process makes that reset"),
               &port);
    }

    static std::string otherwise(const VerilogBinding& binding) {
        if (binding.to.empty())
            return fmt::format("it is listed under '{}'", binding.output ? "out" : "in");
        return fmt::format("'{}' is {} by the module", binding.to,
                           binding.output ? "written" : "read");
    }

    static void go_into(BoundPort& bound, std::size_t number) {
        const Field field = bound.type->fields()[number];
        bound.offset += field.offset;
        bound.type = field.type;
    }

    void misfit(const BoundPort& bound, const ModulePort& port) {
        const std::string type =
            bound.binding.count == 1
                ? bound.type->name()
                : fmt::format("{} times {}", bound.binding.count, bound.type->name());
        report(bound.binding.where,
               fmt::format("port '{}' of {} has {} bit{}, but what it is bound to is {}, which has "
                           "{}",
                           bound.binding.name, module(), port.port.width,
                           port.port.width == 1 ? "" : "s", type,
                           bound.type->width_bits() * bound.binding.count),
               &port);
    }

    /// Reports all unbound inputs in one message.
    void look_for_unbound() {
        std::vector<const ModulePort*> unbound;
        for (const ModulePort& port : netlist_.ports)
            if (!port.port.output && !used_.count(&port))
                unbound.push_back(&port);
        if (unbound.empty())
            return;
        std::string names;
        for (const ModulePort* port : unbound) {
            const std::string& name = port->port.name;
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
        }
        const std::string advice = control_advice(plan_.module, netlist_, unbound);
        const bool one = unbound.size() == 1;
        report(plan_.module.where,
               fmt::format("input{} {} of {} {} bound to nothing; bind {} under 'in'{}{}",
                           one ? "" : "s", names, module(), one ? "is" : "are", one ? "it" : "them",
                           advice.empty() ? "" : ", or write ", advice),
               unbound[0]);
    }

    /// Checks that a register depends on no input within the cycle.
    void look_at_timing(const BoundPort& bound) {
        const ModulePort& port = netlist_.ports[bound.number];
        if (port.falling && !bound.binding.wire) {
            report(bound.binding.where,
                   fmt::format("output '{}' of {} moves at the falling edge of the clock, within "
                               "the cycle, but the bus that it writes is no wire; declare the bus "
                               "with 'wire'",
                               port.port.name, module()),
                   &port, Code::verilog_follows);
            return;
        }
        for (const auto& [input, how] : port.follows) {
            const ModulePort* const from = netlist_.find(input);
            const auto control = controls_.find(from);
            const bool clock = control != controls_.end();
            if (how != Follows::yes || (bound.binding.wire && !clock))
                continue;
            report(bound.binding.where,
                   clock ? fmt::format("output '{}' of {} shows the clock '{}', which has no value "
                                       "in a cycle",
                                       port.port.name, module(), input)
                         : fmt::format("output '{}' of {} follows input '{}' within the cycle, but "
                                       "the bus that it writes is no wire; declare the bus with "
                                       "'wire'",
                                       port.port.name, module(), input),
                   &port, Code::verilog_follows);
            return;
        }
    }

    void make_parts() {
        plan_.falls = netlist_.falls;
        std::map<std::vector<std::size_t>, std::size_t> by_inputs;
        for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
            BoundPort& output = plan_.ports[p];
            if (!output.binding.output)
                continue;
            const bool falling = netlist_.ports[output.number].falling;
            std::vector<std::size_t> inputs = followed(output);
            if (netlist_.falls && (falling || !inputs.empty()))
                inputs = all_inputs(); // the clock falls once, after all inputs have arrived
            if (std::any_of(inputs.begin(), inputs.end(),
                            [&](std::size_t p) { return has_edges(p); }))
                inputs = all_inputs(); // the same for an input whose edges load registers
            if (!output.binding.wire) {
                for (const std::size_t input : inputs)
                    output.suspects.push_back(plan_.ports[input].binding.name);
                plan_.registered.push_back(p);
                continue;
            }
            const auto [place, result] = by_inputs.try_emplace(inputs, plan_.settles.size());
            if (result)
                plan_.settles.push_back({inputs, {}, false});
            plan_.settles[place->second].falls |= falling;
            plan_.settles[place->second].outputs.push_back(p);
        }
        for (const SettlePart& settle : plan_.settles) {
            Part& part = family_.parts.emplace_back();
            for (const std::size_t input : settle.inputs)
                add_uses(plan_.ports[input], part.reads);
            for (const std::size_t output : settle.outputs)
                add_uses(plan_.ports[output], part.writes);
        }
        for (std::size_t p = 0; p < plan_.ports.size(); ++p)
            plan_.has_edge_inputs |= plan_.ports[p].has_edges = has_edges(p);
        plan_.has_last_part = sees_new_edges() || !plan_.clocks.empty() || plan_.settles.empty();
        if (!plan_.has_last_part)
            return;
        Part& clock = family_.parts.emplace_back();
        clock.shares_state = !plan_.settles.empty();
        for (const BoundPort& port : plan_.ports)
            if (!port.binding.output)
                add_uses(port, clock.reads);
        for (const std::size_t output : plan_.registered)
            add_uses(plan_.ports[output], clock.writes);
    }

    bool has_edges(std::size_t port) const {
        return !plan_.ports[port].binding.output && netlist_.ports[plan_.ports[port].number].edges;
    }

    /// Tests whether no settle part sets some input with edges.
    bool sees_new_edges() const {
        std::set<std::size_t> settled;
        for (const SettlePart& part : plan_.settles)
            settled.insert(part.inputs.begin(), part.inputs.end());
        for (std::size_t p = 0; p < plan_.ports.size(); ++p)
            if (has_edges(p) && settled.count(p) == 0)
                return true;
        return false;
    }

    /// Returns the bound inputs on which an output may depend.
    std::vector<std::size_t> followed(const BoundPort& output) const {
        const ModulePort& port = netlist_.ports[output.number];
        std::vector<std::size_t> inputs;
        for (std::size_t p = 0; p < plan_.ports.size(); ++p)
            if (!plan_.ports[p].binding.output && port.follows.count(plan_.ports[p].binding.name))
                inputs.push_back(p);
        return inputs;
    }

    std::vector<std::size_t> all_inputs() const {
        std::vector<std::size_t> inputs;
        for (std::size_t p = 0; p < plan_.ports.size(); ++p)
            if (!plan_.ports[p].binding.output)
                inputs.push_back(p);
        return inputs;
    }

    const Netlist& netlist_;
    VerilogSources& sources_;
    ModulePlan& plan_;
    ProcessFamily& family_;
    Diagnostics& diagnostics_;
    std::set<const ModulePort*> used_;
    std::map<const ModulePort*, const char*> controls_; // "clock" or "reset"
};

} // namespace

Part& looking_part(ModulePlan& plan, ProcessFamily& family) {
    if (!plan.looks) {
        plan.looks = plan.settles.size();
        SettlePart settle{{}, {}, plan.falls};
        Part part;
        for (std::size_t p = 0; p < plan.ports.size(); ++p)
            if (!plan.ports[p].binding.output) {
                settle.inputs.push_back(p);
                add_uses(plan.ports[p], part.reads);
            }
        plan.settles.push_back(std::move(settle));
        family.parts.insert(family.parts.begin() + static_cast<std::ptrdiff_t>(*plan.looks),
                            std::move(part));
        if (plan.has_last_part)
            family.parts.back().shares_state = true;
    }
    return family.parts[*plan.looks];
}

bool join_ports(const Netlist& netlist, const std::vector<VerilogBinding>& bindings,
                VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
                Diagnostics& diagnostics) {
    return Binder{netlist, sources, plan, family, diagnostics}.run(bindings);
}

} // namespace sme::verilator
