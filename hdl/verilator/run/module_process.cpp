// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/module_process.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/build/wrappers.hpp"
#include "verilator/run/binding.hpp"
#include "verilator/run/port_codec.hpp"

namespace sme::verilator {

std::shared_ptr<ModulePlan> plan_of(const VerilogModule& module, const Netlist& netlist,
                                    const std::vector<VerilogBinding>& bindings,
                                    VerilogSources& sources, ProcessFamily& family,
                                    Diagnostics& diagnostics) {
    auto plan = std::make_shared<ModulePlan>();
    plan->module = module;
    plan->uses_time = netlist.uses_time;
    plan->unsavable = netlist.unsavable;
    plan->data_files = DataFiles{module, netlist};
    plan->path = path_to(module, netlist);
    if (!plan->data_files.check(module, sources, diagnostics))
        return nullptr;
    if (module.clocks.empty())
        for (const VerilogClock& clock : module.known_clocks())
            if (netlist.find(clock.port.text))
                plan->module.clocks.push_back(clock);
    if (!join_ports(netlist, bindings, sources, *plan, family, diagnostics))
        return nullptr;
    return plan;
}

void add_inside(ModulePlan& plan, ProcessFamily& family, Graph& graph) {
    Model model{plan.library, {}, 0};
    if (!model || !plan.has_last_part)
        return;
    std::set<std::string> taken; // inputs bound to a value already have buses of their names
    for (const BusFamily& bus : graph.buses)
        if (bus.name.starts_with(family.name + "."))
            taken.insert(bus.name.substr(family.name.size() + 1));
    std::set<std::string> clocks; // the run's clocks; others are signals of the module
    for (const ModulePlan::Clock& clock : plan.clocks)
        if (clock.rate.is_every_cycle())
            clocks.insert(plan.library->abi().port_names[clock.port]);
    plan.inside = inside_signals(model, plan.path, clocks);
    std::erase_if(plan.inside,
                  [&](const InsideSignal& signal) { return taken.count(signal.name) != 0; });
    plan.first_inside = static_cast<std::uint32_t>(family.ports.size());
    for (const InsideSignal& signal : plan.inside) {
        BusFamily bus;
        bus.name = fmt::format("{}.{}", family.name, signal.name);
        bus.shape = nested(family.shape, family.name.size(), {});
        bus.type = signal.width == 1 ? Type::boolean() : Type::unsigned_integer(signal.width);
        bus.delay = signal.is_clock ? 1 : 0; // it has no value within a cycle: no process writes it
        bus.state = true;
        bus.traced = true;
        bus.declared = family.declared;
        const BusFamily& added = graph.add(std::move(bus));
        if (signal.is_clock)
            continue;
        Port port;
        port.name = signal.name;
        port.type = added.type;
        port.output = true;
        port.declared = family.declared;
        port.buses = Segments::affine(family.count, static_cast<std::int64_t>(added.first), 1);
        family.parts.back().writes.push_back({static_cast<std::uint32_t>(family.ports.size())});
        family.ports.push_back(std::move(port));
    }
    std::erase_if(plan.inside, [](const InsideSignal& signal) { return signal.is_clock; });
}

namespace {

bool begin_with(Graph& graph, std::uint64_t element, std::span<const std::byte> value,
                const BoundPort& port, Diagnostics& diagnostics) {
    const auto after =
        std::upper_bound(graph.buses.begin(), graph.buses.end(), element,
                         [](std::uint64_t at, const BusFamily& bus) { return at < bus.first; });
    BusFamily& bus = *std::prev(after);
    const std::size_t size = bus.type->size();    // the value is part of a field's struct
    if (bus.initial.size() != bus.count * size) { // empty, or one value for all
        const std::vector<std::byte> all = bus.initial;
        bus.initial.assign(bus.count * size, std::byte{0});
        for (std::uint64_t k = 0; !all.empty() && k < bus.count; ++k)
            std::copy(all.begin(), all.end(),
                      bus.initial.begin() + static_cast<std::ptrdiff_t>(k * size));
    }
    const auto place = bus.initial.begin() +
                       static_cast<std::ptrdiff_t>((element - bus.first) * size + port.offset);
    if (bus.has_initial && !std::equal(value.begin(), value.end(), place)) {
        diagnostics
            .add(Code::verilog_port, port.binding.where,
                 fmt::format("bus '{}' has an initial value, but output '{}' shows another one "
                             "after the reset; leave the initial value out",
                             bus.element_name(element), port.binding.name))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
        return false;
    }
    std::copy(value.begin(), value.end(), place);
    return true;
}

} // namespace

bool show_initial(const ModulePlan& plan, const ProcessFamily& family, std::uint64_t instance,
                  std::uint64_t seed, Graph& graph, Diagnostics& diagnostics) {
    const std::unique_ptr<Model> model = started(plan, instance, seed, graph, family);
    if (!*model)
        return true; // reports the reason in cycle 0
    for (const std::size_t p : plan.registered) {
        const BoundPort& port = plan.ports[p];
        const std::size_t size = port.type->size();
        std::vector<std::byte> shown(port.binding.count * size);
        std::vector<std::int64_t> places;
        for (std::uint64_t k = 0; k < port.binding.count; ++k)
            places.push_back(static_cast<std::int64_t>(k * size));
        PortCodec{port.type, port.binding.count, 0, port.elements}.from_port(
            model->port(port.number), shown.data(), places.data());
        for (std::uint64_t k = 0; k < port.binding.count; ++k) {
            const auto element =
                static_cast<std::uint64_t>(family.ports[port.binding.port + k].buses.at(instance));
            if (!begin_with(graph, element, {shown.data() + k * size, size}, port, diagnostics))
                return false;
        }
    }
    return true;
}

} // namespace sme::verilator
