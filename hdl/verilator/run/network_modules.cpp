// SPDX-License-Identifier: Apache-2.0
//
// Modules in networks written in C++. Processes of one module with ports of equal types are one
// family, as those of a C++ class are.
#include "sme/internal/built_module.hpp"

#include <fmt/format.h>

#include "network/access.hpp"
#include "verilator/build/arguments.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/run/library.hpp"
#include "verilator/run/module_process.hpp"
#include "verilator/run/modules.hpp"

namespace sme {

namespace {

using namespace verilator;

/// Adds a module process to a network.
class Addition {
public:
    Addition(Network& network, const Name& name, const VerilogConnections& connections)
        : network_{network}, name_{name} {
        for (const auto& [port, bus] : connections)
            if (bus) {
                if (!bus->constant() && !network.graph().has(bus->bus()))
                    throw NetworkError{
                        fmt::format("{}:{}: port '{}' of '{}' is bound to a bus of another network",
                                    name.file(), name.line(), port, text())};
                ports_.push_back({port, *bus, bus->bus().id});
            }
    }

    /// `make(bindings, family, diagnostics)` sets a family's parts and kind.
    template <class Make> void run(const VerilogModule& module, std::string key, const Make& make) {
        Diagnostics diagnostics;
        add_constants();
        for (const BoundBus& port : ports_)
            key += fmt::format("port {} {} {}{}\n", port.name, port.bus.is_output() ? "out" : "in",
                               is_wire(port) ? "wire " : "", port.bus.type()->name());
        key += fmt::format("cycle {}\nseed {}\n", module.clock_ps, *module.seed);
        for (const VerilogClock& clock : module.clocks)
            key += fmt::format("clock {}: {}\n", clock.port.text, clock.rate.text());
        for (const VerilogReset& reset : module.resets)
            key += fmt::format("reset {}: {} {}\n", reset.port.text, reset.high, reset.cycles);
        for (const Placed& plusarg : module.plusargs)
            key += "plusarg " + plusarg.text + '\n';
        Graph& graph = NetworkAccess::graph(network_);
        std::map<std::string, std::uint32_t>& families = NetworkAccess::families(network_);
        if (module.trace_inside) // its signal names begin with its own name
            key += text();
        auto found = families.find(key);
        if (found == families.end()) {
            ProcessFamily family = family_of(module);
            make(bindings(), family, diagnostics);
            check(diagnostics);
            const auto number = static_cast<std::uint32_t>(graph.processes.size());
            graph.processes.push_back(std::move(family));
            found = families.emplace(std::move(key), number).first;
        }
        const std::uint64_t instance = place(found->second, module);
        const ProcessFamily& family = graph.processes[found->second];
        const auto& kind = static_cast<const ModuleFactory&>(*family.kind);
        show_initial(kind.plan(), family, instance, *module.seed, graph, diagnostics);
        check(diagnostics);
    }

private:
    /// A port, and its network element.
    struct BoundBus {
        std::string name;
        VerilogBus bus;
        std::uint64_t element;
    };

    void add_constants() {
        for (BoundBus& port : ports_)
            if (const auto& constant = port.bus.constant())
                port.element = NetworkAccess::add_constant(network_, name_, constant->type,
                                                           port.bus.type(), constant->bytes);
    }

    std::string text() const {
        return name_.index() ? fmt::format("{}[{}]", name_.text(), *name_.index()) : name_.text();
    }
    bool is_wire(const BoundBus& port) const {
        return network_.graph().family_of(port.element).wire();
    }

    ProcessFamily family_of(const VerilogModule& module) const {
        ProcessFamily family;
        family.name = text();
        family.count = module.trace_inside ? 1 : 0;
        family.declared = location_of(name_);
        for (const BoundBus& each : ports_) {
            Port& port = family.ports.emplace_back();
            port.name = each.name;
            port.output = each.bus.is_output();
            port.type = each.bus.type();
            port.declared = family.declared;
            if (module.trace_inside)
                port.buses.append(static_cast<std::int64_t>(each.element));
        }
        return family;
    }

    std::vector<VerilogBinding> bindings() const {
        std::vector<VerilogBinding> result;
        for (const BoundBus& port : ports_)
            result.push_back({port.name, port.bus.is_output(),
                              static_cast<std::uint32_t>(result.size()), 1, -1, is_wire(port),
                              location_of(name_)});
        return result;
    }

    std::uint64_t place(std::uint32_t family, const VerilogModule& module) const {
        if (module.trace_inside)
            return 0;
        std::vector<std::uint64_t> buses;
        for (const BoundBus& port : ports_)
            buses.push_back(port.element);
        return NetworkAccess::add_instance(network_, family, name_, buses);
    }

    static void check(const Diagnostics& diagnostics) {
        if (diagnostics.has_errors())
            throw NetworkError{render(diagnostics)};
    }

    Network& network_;
    const Name& name_;
    std::vector<BoundBus> ports_;
};

void set_options(VerilogModule& module, const VerilogOptions& options) {
    for (const std::string& plusarg : options.plusargs)
        module.plusargs.push_back({plusarg, module.where});
    constexpr std::uint64_t ps_per_ns = 1000;
    module.clock_ps = options.clock_ns * ps_per_ns;
    module.seed = options.seed;
}

VerilogModule module_of(const VerilogSource& source, const Location& where) {
    VerilogModule result;
    const auto placed = [&](const std::string& text) { return Placed{text, where}; };
    const auto place_all = [&](const std::vector<std::string>& texts, std::vector<Placed>& into) {
        for (const std::string& text : texts)
            into.push_back(placed(text));
    };
    result.where = where;
    for (const std::string& file : source.files)
        result.add_file(placed(file));
    place_all(source.include, result.include);
    place_all(source.define, result.define);
    place_all(source.lists, result.lists);
    for (const auto& [name, value] : source.parameters)
        result.parameters.push_back({placed(name), value});
    result.top = placed(source.top);
    if (!source.clock.empty())
        result.clocks.push_back({placed(source.clock), {}});
    for (const VerilogSource::Clock& clock : source.clocks)
        result.clocks.push_back({placed(clock.port), {clock.every, clock.offset}});
    if (!source.reset.empty())
        result.resets.push_back({placed(source.reset), source.reset_high, source.reset_cycles});
    for (const VerilogSource::Reset& reset : source.resets)
        result.resets.push_back({placed(reset.port), reset.high, reset.cycles});
    result.trace_inside = source.trace_inside;
    result.savable = source.savable;
    return result;
}

void tell_warnings(const Diagnostics& diagnostics, const VerilogTools& tools) {
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity == Severity::warning && tools.message)
            tools.message(render(found));
}

} // namespace

void add_verilog(Network& network, const Name& name, const VerilogSource& source,
                 const VerilogConnections& ports, const VerilogTools& tools,
                 const VerilogOptions& options) {
    VerilogModule module = module_of(source, location_of(name));
    set_options(module, options);
    const Settings settings = settings_of(tools);
    const auto make = [&](const std::vector<VerilogBinding>& bindings, ProcessFamily& family,
                          Diagnostics& diagnostics) {
        Modules modules{settings, Modules::Purpose::run};
        Graph& graph = NetworkAccess::graph(network);
        if (modules.attach(module, bindings, family, graph, diagnostics) &&
            !diagnostics.has_errors())
            modules.build(family, graph, diagnostics);
        tell_warnings(diagnostics, tools);
    };
    Addition{network, name, ports}.run(module, identity_of(module), make);
}

void internal::add_verilog(Network& network, const Name& name, const BuiltModule& built,
                           const VerilogConnections& ports, const VerilogOptions& options) {
    BuiltDescription description = read_description(built.description);
    VerilogModule& module = description.module;
    module.where = location_of(name);
    set_options(module, options);
    const auto make = [&](const std::vector<VerilogBinding>& bindings, ProcessFamily& family,
                          Diagnostics& diagnostics) {
        VerilogSources sources;
        const auto plan =
            plan_of(module, description.netlist, bindings, sources, family, diagnostics);
        if (!plan)
            return;
        plan->library = Library::linked(*static_cast<const sme_module_abi*>(built.abi()));
        if (module.trace_inside)
            add_inside(*plan, family, NetworkAccess::graph(network));
        family.kind = std::make_shared<ModuleFactory>(plan);
    };
    Addition{network, name, ports}.run(module, built.description, make);
}

} // namespace sme
