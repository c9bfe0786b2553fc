// SPDX-License-Identifier: Apache-2.0
#include "verilator/modules.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "verilator/arguments.hpp"
#include "verilator/binding.hpp"
#include "verilator/moves.hpp"

namespace sme::verilator {

namespace {

class ModuleKind final : public Kind {
public:
    explicit ModuleKind(std::shared_ptr<const ModulePlan> plan) : plan_{std::move(plan)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return make_group(plan_, build);
    }

private:
    std::shared_ptr<const ModulePlan> plan_;
};

} // namespace

Modules::Known* Modules::know(const VerilogModule& module, Diagnostics& diagnostics) {
    const std::string identity = builder_.identity(module);
    const auto [place, made] = known_.try_emplace(identity);
    Known& known = place->second;
    if (!made)
        return known.usable ? &known : nullptr;
    if (auto kept = KeptModules{settings_.folder}.find(identity)) {
        known.netlist = std::move(kept->netlist);
        known.object = std::move(kept->object);
    } else if (auto read = builder_.inspect(module, diagnostics))
        known.netlist = std::move(*read);
    else
        return nullptr;
    const Netlist& netlist = known.netlist;
    const std::size_t errors = diagnostics.errors();
    add_messages(netlist.said, module, sources_, diagnostics);
    if (diagnostics.errors() != errors) // warnings under --strict
        return nullptr;
    if (!netlist.problem.empty()) {
        diagnostics
            .add(Code::verilog_port,
                 sources_.at(netlist.problem_file, netlist.problem_line, netlist.problem_column),
                 fmt::format("{} of module '{}'", netlist.problem, module.top.text))
            .note(module.where, "the module is used here");
        return nullptr;
    }
    for (const ModulePort& port : netlist.ports) {
        known.ports.push_back(port.port);
        known.ports.back().declared = sources_.at(port.file, port.line, port.column);
    }
    known.usable = true;
    return &known;
}

const std::vector<VerilogPort>* Modules::ports(const VerilogModule& module,
                                               Diagnostics& diagnostics) {
    Known* const known = know(module, diagnostics);
    return known ? &known->ports : nullptr;
}

std::shared_ptr<const Library> Modules::load(const VerilogModule& module, Known& known,
                                             Diagnostics& diagnostics) {
    if (known.object.empty()) {
        const auto object = builder_.build(module, known.netlist, diagnostics);
        if (!object)
            return nullptr;
        known.object = *object;
    }
    std::shared_ptr<const Library>& library = loaded_[known.object];
    if (library)
        return library;
    std::string problem;
    library = Library::load(known.object, problem);
    if (!library)
        diagnostics.add(Code::verilog_build, module.where,
                        fmt::format("module '{}' cannot be loaded: {}", module.top.text, problem));
    return library;
}

bool Modules::attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                     ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) {
    Known* const known = know(module, diagnostics);
    auto plan = std::make_shared<ModulePlan>();
    plan->module = module;
    plan->uses_time = known && known->netlist.uses_time;
    if (known && module.clock.text.empty() && known->netlist.find(clock_of(module)))
        plan->module.clock = {clock_of(module), module.where};
    if (!known || !join_ports(known->netlist, bindings, sources_, *plan, family, diagnostics))
        return false;
    if (purpose_ == Purpose::run && !diagnostics.has_errors()) {
        plan->library = load(module, *known, diagnostics);
        if (!plan->library)
            return false;
        if (module.trace_inside)
            add_inside(*plan, family, graph);
    }
    family.kind = std::make_shared<ModuleKind>(plan);
    plans_[family.kind.get()] = std::move(plan);
    return true;
}

/// A bus for each signal inside. They are wires: in each cycle they show what the module has when
/// it has settled.
void Modules::add_inside(ModulePlan& plan, ProcessFamily& family, Graph& graph) {
    Model model{plan.library, {}, 0};
    if (!model || plan.parts() == plan.settles.size()) // without a clock nothing comes last
        return;
    plan.wave = Wave{model.wave(0)};
    plan.first_inside = static_cast<std::uint32_t>(family.ports.size());
    for (const InsideSignal& signal : plan.wave.signals()) {
        BusFamily bus;
        bus.name = fmt::format("{}.{}", family.name, signal.name);
        bus.shape = nested(family.shape, family.name.size(), {});
        bus.type = signal.width == 1 ? Type::boolean() : Type::unsigned_integer(signal.width);
        bus.delay = 0;
        bus.state = true;
        bus.traced = true;
        bus.declared = family.declared;
        const BusFamily& added = graph.add(std::move(bus));
        Port port;
        port.name = signal.name;
        port.type = added.type;
        port.output = true;
        port.declared = family.declared;
        port.buses = Segments::affine(family.count, static_cast<std::int64_t>(added.first), 1);
        family.parts.back().writes.push_back({static_cast<std::uint32_t>(family.ports.size())});
        family.ports.push_back(std::move(port));
    }
}

bool Modules::start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed,
                    Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    for (const ProcessFamily& family : graph.processes) {
        const auto found = plans_.find(family.kind.get());
        if (found == plans_.end() || !found->second->library)
            continue;
        found->second->clock_ps = clock_ps;
        if (found->second->registered.empty())
            continue;
        for (std::uint64_t instance = 0; instance < family.count; ++instance)
            if (!show_initial(*found->second, family, instance, seed, graph, diagnostics))
                break;
    }
    return diagnostics.errors() == errors;
}

bool Modules::show_initial(const ModulePlan& plan, const ProcessFamily& family,
                           std::uint64_t instance, std::uint64_t seed, Graph& graph,
                           Diagnostics& diagnostics) {
    const std::unique_ptr<Model> model = started(plan, instance, seed, graph, family);
    if (!*model)
        return true; // it says why in cycle 0
    for (const std::size_t p : plan.registered) {
        const BoundPort& port = plan.ports[p];
        const std::size_t size = port.type->size();
        std::vector<std::byte> shown(port.binding.count * size);
        std::vector<std::int64_t> places;
        for (std::uint64_t k = 0; k < port.binding.count; ++k)
            places.push_back(static_cast<std::int64_t>(k * size));
        Moves{port.type, port.binding.count, 0}.from_port(model->port(port.number), shown.data(),
                                                          places.data());
        for (std::uint64_t k = 0; k < port.binding.count; ++k) {
            const auto element =
                static_cast<std::uint64_t>(family.ports[port.binding.port + k].buses.at(instance));
            if (!begin_with(graph, element, {shown.data() + k * size, size}, port, diagnostics))
                return false;
        }
    }
    return true;
}

bool Modules::begin_with(Graph& graph, std::uint64_t element, std::span<const std::byte> value,
                         const BoundPort& port, Diagnostics& diagnostics) {
    const auto after =
        std::upper_bound(graph.buses.begin(), graph.buses.end(), element,
                         [](std::uint64_t at, const BusFamily& bus) { return at < bus.first; });
    BusFamily& bus = *std::prev(after);
    if (bus.initial.size() != bus.count * value.size()) { // none, or one for all
        const std::vector<std::byte> all = bus.initial;
        bus.initial.assign(bus.count * value.size(), std::byte{0});
        for (std::uint64_t k = 0; !all.empty() && k < bus.count; ++k)
            std::copy(all.begin(), all.end(),
                      bus.initial.begin() + static_cast<std::ptrdiff_t>(k * value.size()));
    }
    const auto place =
        bus.initial.begin() + static_cast<std::ptrdiff_t>((element - bus.first) * value.size());
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

} // namespace sme::verilator
