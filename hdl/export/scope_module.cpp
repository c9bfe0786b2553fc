// SPDX-License-Identifier: Apache-2.0
//
// A network or a component as one module: 1. a vector for each family of buses (scope_signals.hpp);
// 2. an instance, or a generate loop, for each name under `processes`; 3. delay lines and undriven
// signals.
#include "export/modules/scope_module.hpp"
#include "export/modules/top.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/modules/connection.hpp"
#include "export/modules/scope_signals.hpp"
#include "export/processes/process_module.hpp"

namespace sme::hdl {

namespace {

class ScopeModule {
public:
    ScopeModule(const expr::ModuleView& scope, std::uint64_t instance, bool is_network, Export& all)
        : scope_{scope}, instance_{instance}, all_{all}, graph_{all.graph},
          module_{all.diagnostics, clock_port_names(scope)}, signals_{scope, instance, is_network,
                                                                      all, module_} {}

    rtl::Module write(WrittenModule& result, ScopeLayout& layout) {
        add_parameters(module_, scope_.parameters, &scope_ == all_.network ? &all_.kept : nullptr,
                       true);
        rtl::Items units;
        for (const expr::Unit* unit : scope_.units)
            append(units, write_unit(*unit));
        rtl::Items delays = signals_.delay_lines();
        rtl::Module module = signals_.head(result, module_.parameter_declarations());
        module.comments = comments_above(scope_.declared);
        append(module.items, module_.items());
        append(module.items, signals_.declarations());
        append(module.items, std::move(constants_));
        append(module.items, std::move(units));
        append(module.items, std::move(delays));
        append(module.items, signals_.tie_off());
        result.kept = module_.kept_parameters();
        layout.signals = signals_.all();
        layout.looped = looped_;
        layout.names = names_;
        layout.states = states_;
        return module;
    }

private:
    rtl::Items write_unit(const expr::Unit& unit) {
        const std::uint64_t members = unit.shape.count();
        if (!unit.process && !unit.inside && !unit.verilog) {
            all_.diagnostics.add(Code::bad_call, unit.declared,
                                 fmt::format("process '{}' is not written in the language, so it "
                                             "cannot be written as hardware",
                                             unit.name));
            return {};
        }
        std::vector<const WrittenModule*> modules;
        if (unit.verilog) {
            processes_.push_back(std::make_unique<WrittenModule>(
                foreign_module(*unit.verilog, graph_.processes[*unit.family], scope_)));
            modules.assign(members, processes_.back().get());
            all_.modules.add_foreign(foreign_shell(*unit.verilog));
        } else if (unit.process) {
            std::vector<std::vector<WrittenState>>& states = states_[&unit];
            processes_.push_back(std::make_unique<WrittenModule>(process(unit)));
            modules.assign(members, processes_.back().get());
            states.push_back(processes_.back()->states);
            if (!same_memories(unit)) {
                modules.clear();
                states.clear();
                for (std::uint64_t m = 0; m < members; ++m) {
                    processes_.push_back(std::make_unique<WrittenModule>(process(unit, m, 1)));
                    modules.push_back(processes_.back().get());
                    states.push_back(processes_.back()->states);
                }
            }
        } else
            for (std::uint64_t m = 0; m < members; ++m)
                modules.push_back(&write_scope(*unit.inside, instance_ * members + m, false, all_));
        rtl::Items result{rtl::Blank{}};
        add_comments(result, comments_above(unit.declared));
        if (const std::string behind = comment_behind(unit.declared); !behind.empty())
            add_comments(result, {behind});
        const auto [base, fresh] = bases_.try_emplace(unit.name);
        if (fresh) // the parts of one family share a name
            base->second = module_.names().take(unit.name);
        names_[&unit] = base->second;
        if (!unit.shape.is_single() && members > 1)
            if (auto loop = loop_over(unit, modules)) {
                result.emplace_back(std::move(*loop));
                return result;
            }
        name_members(unit, members);
        for (std::uint64_t m = 0; m < members; ++m)
            result.emplace_back(single(unit, m, *modules[m]));
        return result;
    }

    /// Returns ".clk(slow_clk)" and similar; for an existing module also its unbound ports.
    std::vector<rtl::Connection> clock_connections(const expr::Unit& unit,
                                                   const WrittenModule& module) const {
        if (unit.verilog)
            return module.fixed;
        std::vector<rtl::Connection> result;
        const auto connect = [&](const std::string& domain, std::uint32_t number) {
            const ClockPorts inner = clock_ports(domain), outer = clock_ports(scope_, number);
            result.push_back({inner.clock, rtl::at(Place::all_of(outer.clock, 1))});
            result.push_back({inner.reset, rtl::at(Place::all_of(outer.reset, 1))});
        };
        if (unit.process)
            connect("", graph_.processes[*unit.family].domain);
        else
            for (const expr::ModuleView::Domain& each : unit.inside->domains)
                connect(each.name, each.number);
        return result;
    }

    WrittenModule process(const expr::Unit& unit, std::uint64_t member = 0,
                          std::uint64_t count = 0) {
        return write_process_of(scope_, instance_, unit, all_, member, count);
    }

    /// Tests whether all members of a family have memories with the same initial values.
    bool same_memories(const expr::Unit& unit) const {
        const ProcessFamily& family = graph_.processes[*unit.family];
        return std::all_of(
            family.memories.begin(), family.memories.end(), [](const Memory& memory) {
                return memory.initial.size() <= memory.words * memory.element->size();
            });
    }

    Wiring wiring(const expr::Unit& unit, const ModulePort& port, std::uint64_t element,
                  std::uint64_t first, std::uint64_t count) {
        Wiring result;
        for (std::uint64_t m = first; m < first + count; ++m) {
            const std::uint64_t bus = bus_of(unit, instance_, graph_, port, m, element);
            if (auto place = signals_.place_of(bus, port.field, port.output)) {
                result.places.push_back(port.slice ? place->part(*port.slice, port.width)
                                                   : std::move(*place));
                continue;
            }
            result.values.push_back(initial_bits(graph_, bus, port.field));
            if (port.slice)
                result.values.back() = slice_of(result.values.back(), *port.slice, port.width);
        }
        return result;
    }

    rtl::Instance single(const expr::Unit& unit, std::uint64_t member,
                         const WrittenModule& module) {
        rtl::Instance result{module.name, instance_path(unit, member, nullptr, names_[&unit]),
                             parameters_of(unit, module, member), clock_connections(unit, module)};
        pass_on(module, result.parameters);
        for (const ModulePort& port : module.ports) {
            std::vector<ExprRef> parts;
            Place run; // of adjacent elements; no name: no run
            const auto end_run = [&] {
                if (!run.name.empty())
                    parts.push_back(rtl::at(run));
                run = {};
            };
            for (const auto& [element, piece] :
                 pieces_of(unit, instance_, graph_, port, all_.packed)) {
                const Wiring wires = wiring(unit, piece, element, member, 1);
                const bool constant = wires.places.empty();
                if (!constant && run.name == wires.places[0].name &&
                    run.low + run.width == wires.places[0].low) {
                    run.width += wires.places[0].width;
                    continue;
                }
                end_run();
                if (constant)
                    parts.push_back(rtl::literal(wires.values[0], piece.width));
                else
                    run = wires.places[0];
            }
            end_run();
            result.connections.push_back({port.name, joined(std::move(parts)), port.output});
        }
        return result;
    }

    /// Adds the network parameters that a module keeps to this module.
    void pass_on(const WrittenModule& module, std::vector<rtl::Given>& parameters) {
        for (const auto& [name, own] : module.kept)
            if (const auto mine = module_.number(name, 0))
                parameters.push_back({own, rtl::at(Place::integer(*mine))});
    }

    /// Joins elements, the first rightmost.
    static ExprRef joined(std::vector<ExprRef> parts) {
        if (parts.size() == 1)
            return parts[0];
        std::reverse(parts.begin(), parts.end());
        return rtl::joined(std::move(parts));
    }

    /// Writes a generate loop over a family whose members differ only by expressions of the index.
    std::optional<rtl::Generate> loop_over(const expr::Unit& unit,
                                           const std::vector<const WrittenModule*>& modules) {
        if (!unit.shape.kept.empty())
            return std::nullopt;
        for (const WrittenModule* module : modules)
            if (module->name != modules[0]->name)
                return std::nullopt;
        std::vector<std::string> variables;
        for (std::size_t d = 0; d < unit.shape.dimensions.size(); ++d)
            variables.push_back(module_.names().take(unit.shape.dimensions[d].index.empty()
                                                         ? fmt::format("{}_{}", unit.name, d)
                                                         : unit.shape.dimensions[d].index));
        LoopIndex index{scope_, unit, module_, variables};
        const WrittenModule& module = *modules[0];
        rtl::Generate result;
        std::vector<std::string> labels;
        for (std::size_t d = 1; d < variables.size(); ++d)
            labels.push_back(label(fmt::format("at_{}", d)));
        labels.push_back(label("unit"));
        for (std::size_t d = 0; d < variables.size(); ++d)
            result.loops.push_back({variables[d], d == 0 ? names_[&unit] : labels[d - 1],
                                    unit.shape.dimensions[d].low,
                                    unit.shape.dimensions[d].low +
                                        static_cast<std::int64_t>(unit.shape.dimensions[d].count)});
        result.instance = {module.name, labels.back(), module.given,
                           clock_connections(unit, module)};
        for (const ModuleParameter& each : module.parameters)
            result.instance.parameters.push_back(
                {each.name,
                 each.dimension >= 0
                     ? rtl::at(Place::integer(variables[static_cast<std::size_t>(each.dimension)]))
                     : constant_slice(unit, each.name, each.values, each.width, index)});
        pass_on(module, result.instance.parameters);
        for (const ModulePort& port : module.ports) {
            std::vector<ExprRef> parts;
            for (const auto& [element, piece] :
                 pieces_of(unit, instance_, graph_, port, all_.packed)) {
                const Wiring wires = wiring(unit, piece, element, 0, modules.size());
                const auto part = part_of(unit, port, piece, element, wires, index);
                if (!part)
                    return std::nullopt;
                parts.push_back(*part);
            }
            result.instance.connections.push_back(
                {port.name, joined(std::move(parts)), port.output});
        }
        looped_[&unit] = std::move(labels);
        return result;
    }

    /// Returns a name for a block in a loop that hides no name of the module.
    std::string label(const std::string& wanted) {
        return module_.names().has(wanted) ? module_.names().take(wanted) : wanted;
    }

    /// Takes a name for each member of a family that is not a loop.
    void name_members(const expr::Unit& unit, std::uint64_t members) {
        const auto name = [&](std::uint64_t m) {
            return instance_path(unit, m, nullptr, names_[&unit]);
        };
        const auto any_taken = [&] {
            for (std::uint64_t m = 0; m < members; ++m)
                if (module_.names().has(name(m)))
                    return true;
            return false;
        };
        if (unit.shape.is_single())
            return;
        while (any_taken())
            names_[&unit] = module_.names().take(unit.name);
        for (std::uint64_t m = 0; m < members; ++m)
            module_.names().take(name(m));
    }

    /// Returns the connection of a piece of a port, for all members.
    std::optional<ExprRef> part_of(const expr::Unit& unit, const ModulePort& port,
                                   const ModulePort& piece, std::uint64_t element,
                                   const Wiring& wires, LoopIndex& index) {
        if (!wires.places.empty() && !wires.values.empty())
            return std::nullopt;
        if (wires.places.empty())
            return constant_slice(unit, port.name, wires.values, piece.width, index);
        for (const Place& place : wires.places)
            if (place.name != wires.places[0].name)
                return std::nullopt;
        const auto low = index.low_bit(piece, element, wires.places);
        if (!low)
            return std::nullopt;
        const Place& first = wires.places[0];
        return first.whole() ? rtl::at(Place::all_of(first.name, first.total))
                             : slice_at(first.name, first.total, *low, piece.width);
    }

    static ExprRef slice_at(const std::string& name, std::uint64_t total, const ExprRef& low,
                            std::uint64_t width) {
        Place place = Place::all_of(name, total);
        place.width = width;
        place.moved = low;
        return rtl::at(std::move(place));
    }

    /// Selects the value of each member from one vector of constants.
    ExprRef constant_slice(const expr::Unit& unit, const std::string& wanted,
                           const std::vector<Words>& values, std::uint64_t width,
                           const LoopIndex& index) {
        if (std::all_of(values.begin(), values.end(),
                        [&](const Words& each) { return each == values[0]; }))
            return rtl::literal(values[0], width);
        Words all;
        for (std::size_t m = 0; m < values.size(); ++m)
            put_bits(all, m * width, values[m], width);
        const std::uint64_t bits = width * values.size();
        const std::string name = module_.names().take(fmt::format("{}_{}", unit.name, wanted));
        constants_.emplace_back(rtl::Constant{{name, bits, false, false}, rtl::literal(all, bits)});
        const ExprRef low = width == 1 ? index.member()
                                       : rtl::integer("*", index.member(),
                                                      rtl::number(static_cast<Integer>(width)));
        return slice_at(name, bits, low, width);
    }

    const expr::ModuleView& scope_;
    std::uint64_t instance_;
    Export& all_;
    const Graph& graph_;
    ModuleText module_;
    ScopeSignals signals_;
    rtl::Items constants_;
    std::vector<std::unique_ptr<WrittenModule>> processes_;
    std::map<const expr::Unit*, std::vector<std::string>> looped_;
    std::map<const expr::Unit*, std::string> names_;
    std::map<const expr::Unit*, std::vector<std::vector<WrittenState>>> states_;
    std::map<std::string, std::string> bases_; // by unit name
};

} // namespace

WrittenModule write_process_of(const expr::ModuleView& scope, std::uint64_t instance,
                               const expr::Unit& unit, Export& all, std::uint64_t member,
                               std::uint64_t count) {
    const std::uint64_t members = unit.shape.count();
    const expr::ModuleView& home = unit.inside ? *unit.inside : scope;
    WrittenModule result = write_process(
        {all.graph, *unit.family, *unit.process, *unit.bound, home.parameters,
         unit.inside ? unit.inside->name : unit.name,
         unit.inside ? unit.inside->declared : unit.declared, instance * members + member,
         count == 0 ? members : count, &home == all.network ? &all.kept : nullptr,
         unit.inside != nullptr, all.packed},
        all.modules, all.diagnostics);
    // in the whole network, the dimensions of the surrounding instances come first
    const std::size_t around = unit.process->shape.dimensions.size() - unit.shape.dimensions.size();
    for (ModuleParameter& parameter : result.parameters)
        if (parameter.dimension >= 0)
            parameter.dimension -= static_cast<int>(around);
    return result;
}

std::uint64_t bus_of(const expr::Unit& unit, std::uint64_t instance, const Graph& graph,
                     const ModulePort& port, std::uint64_t member, std::uint64_t element) {
    const std::uint64_t at = instance * unit.shape.count() + member;
    if (unit.process || unit.verilog)
        return static_cast<std::uint64_t>(
            graph.processes[*unit.family].ports[port.graph_port + element].buses.at(at));
    for (const expr::BusView* view : unit.inside->views)
        if (view->name == port.port)
            return (port.back < 0 ? *view
                                  : view->reverse_fields[static_cast<std::size_t>(port.back)])
                .element(at, element);
    return 0;
}

std::vector<rtl::Given> parameters_of(const expr::Unit& unit, const WrittenModule& module,
                                      std::uint64_t member, std::uint64_t first) {
    std::vector<rtl::Given> parameters = module.given;
    for (const ModuleParameter& each : module.parameters)
        parameters.push_back(
            {each.name,
             each.dimension >= 0
                 ? rtl::number(unit.shape.indices(member)[static_cast<std::size_t>(each.dimension)])
                 : rtl::literal(each.values[member - first], each.width)});
    return parameters;
}

const WrittenModule& write_scope(const expr::ModuleView& scope, std::uint64_t instance,
                                 bool is_network, Export& all) {
    const auto key = all.key(scope, instance);
    const auto [found, fresh] = all.written.try_emplace(key);
    if (!fresh)
        return found->second;
    WrittenModule result;
    ScopeLayout layout;
    rtl::Module module = ScopeModule{scope, instance, is_network, all}.write(result, layout);
    result.name = all.modules.add(scope.name, std::move(module), &scope == all.top);
    all.layouts[key] = std::move(layout);
    return all.written[key] = std::move(result);
}

} // namespace sme::hdl
