// SPDX-License-Identifier: Apache-2.0
//
// A network or a component as one module: 1. a vector for each family of buses
// (scope_signals.hpp); 2. an instance, or a generate loop, for each name under `processes`; 3.
// delay lines, and what nobody drives.
#include "export/modules/scope_module.hpp"
#include "export/clock_ports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/modules/connection.hpp"
#include "export/modules/foreign_module.hpp"
#include "export/modules/process_module.hpp"
#include "export/modules/scope_signals.hpp"
#include "export/modules/unread_signals.hpp"

namespace sme::hdl {

std::vector<std::int64_t> member_indices(const expr::UnitText& unit, std::uint64_t member) {
    std::uint64_t flat = unit.kept.empty() ? member : unit.kept[member];
    std::vector<std::int64_t> at(unit.counts.size());
    for (std::size_t d = unit.counts.size(); d-- > 0;) {
        at[d] = unit.lows[d] + static_cast<std::int64_t>(flat % unit.counts[d]);
        flat /= unit.counts[d];
    }
    return at;
}

namespace {

std::string number_in_name(std::int64_t value) {
    return value < 0 ? fmt::format("m{}", -value) : std::to_string(value);
}

} // namespace

std::string instance_path(const expr::UnitText& unit, std::uint64_t member, bool looped,
                          const std::string& name) {
    std::string made = name;
    const std::vector<std::int64_t> at = member_indices(unit, member);
    for (std::size_t d = 0; d < at.size(); ++d)
        if (!looped)
            made += "_" + number_in_name(at[d]);
        else
            made += fmt::format("{}[{}]", d == 0 ? "" : fmt::format(".at_{}", d), at[d]);
    return looped ? made + ".unit" : made;
}

namespace {

class ScopeModule {
public:
    ScopeModule(const expr::ModuleView& scope, std::uint64_t instance, bool is_network, Export& all)
        : scope_{scope}, instance_{instance}, all_{all}, graph_{all.graph},
          module_{all.diagnostics, clock_port_names(scope)}, signals_{scope, instance, is_network,
                                                                      all, module_} {}

    std::string write(Written& made, ScopeLayout& layout) {
        add_parameters(module_, scope_.parameters, &scope_ == all_.network ? &all_.kept : nullptr,
                       true);
        std::string units;
        for (const expr::UnitText& unit : scope_.units)
            units += write_unit(unit);
        const std::string delays = signals_.delay_lines();
        std::string text = comment_lines(comments_above(scope_.declared), "") +
                           signals_.head(made, module_.parameter_declarations()) + module_.text() +
                           signals_.declarations() + constants_ + units + delays +
                           signals_.tie_off() + "endmodule\n";
        made.kept = module_.kept_parameters();
        layout.signals = signals_.all();
        layout.looped = looped_;
        layout.names = names_;
        return text;
    }

private:
    std::string write_unit(const expr::UnitText& unit) {
        const std::uint64_t members = unit.count();
        if (!unit.process && !unit.inside && !unit.verilog) {
            all_.diagnostics.add(Code::bad_call, unit.declared,
                                 fmt::format("process '{}' is not written in the language, so it "
                                             "cannot be written as Verilog",
                                             unit.name));
            return {};
        }
        std::vector<const Written*> modules;
        if (unit.verilog) {
            processes_.push_back(std::make_unique<Written>(
                foreign_module(*unit.verilog, graph_.processes[*unit.family], scope_)));
            modules.assign(members, processes_.back().get());
        } else if (unit.process) {
            processes_.push_back(std::make_unique<Written>(process(unit)));
            modules.assign(members, processes_.back().get());
            if (!same_memories(unit)) {
                modules.clear();
                for (std::uint64_t m = 0; m < members; ++m) {
                    processes_.push_back(std::make_unique<Written>(process(unit, m, 1)));
                    modules.push_back(processes_.back().get());
                }
            }
        } else
            for (std::uint64_t m = 0; m < members; ++m)
                modules.push_back(&write_scope(*unit.inside, instance_ * members + m, false, all_));
        std::string text = "\n" + comment_lines(comments_above(unit.declared), "    ");
        const std::string behind = comment_behind(unit.declared);
        if (!behind.empty())
            text += "    // " + behind + "\n";
        const auto [base, fresh] = bases_.try_emplace(unit.name);
        if (fresh) // the parts of one family share a name
            base->second = module_.names().take(unit.name);
        names_[&unit] = base->second;
        if (!unit.counts.empty() && members > 1)
            if (const auto loop = loop_over(unit, modules)) {
                looped_[&unit] = true;
                return text + *loop;
            }
        for (std::uint64_t m = 0; m < members; ++m)
            text += single(unit, m, *modules[m]);
        return text;
    }

    std::vector<std::string> connected_clocks(const expr::UnitText& unit,
                                              const Written& module) const {
        return unit.verilog ? module.fixed : clock_connections(unit, scope_, graph_);
    }

    Written process(const expr::UnitText& unit, std::uint64_t member = 0, std::uint64_t count = 0) {
        return write_process_of(scope_, instance_, unit, all_, member, count);
    }

    /// Whether all members of a family have memories that begin alike.
    bool same_memories(const expr::UnitText& unit) const {
        const ProcessFamily& family = graph_.processes[*unit.family];
        return std::all_of(
            family.memories.begin(), family.memories.end(), [](const Memory& memory) {
                return memory.initial.size() <= memory.words * memory.element->size();
            });
    }

    Wiring wiring(const expr::UnitText& unit, const ModulePort& port, std::uint64_t element,
                  std::uint64_t first, std::uint64_t count) {
        Wiring made;
        for (std::uint64_t m = first; m < first + count; ++m) {
            const std::uint64_t bus = bus_of(unit, instance_, graph_, port, m, element);
            if (auto place = signals_.place_of(bus, port.field, port.output)) {
                made.places.push_back(port.slice ? place->part(*port.slice, port.width)
                                                 : std::move(*place));
                continue;
            }
            made.values.push_back(initial_bits(graph_, bus, port.field));
            if (port.slice)
                made.values.back() = slice_of(made.values.back(), *port.slice, port.width);
            made.literals.push_back(literal(made.values.back(), port.width));
        }
        return made;
    }

    std::string single(const expr::UnitText& unit, std::uint64_t member, const Written& module) {
        std::vector<std::string> parameters = parameters_of(unit, module, member);
        pass_on(module, parameters);
        std::vector<std::string> connections = connected_clocks(unit, module);
        for (const ModulePort& port : module.ports) {
            std::vector<std::string> parts;
            Place run; // of elements that lie side by side; without a name: none
            const auto end_run = [&] {
                if (!run.name.empty())
                    parts.push_back(run.text());
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
                    parts.push_back(wires.literals[0]);
                else
                    run = wires.places[0];
            }
            end_run();
            connections.push_back(connection(port, parts));
        }
        return instance_text("    ", module.name, parameters,
                             instance_path(unit, member, false, names_[&unit]), connections);
    }

    /// The parameters of the network that a module keeps are this module's, too.
    void pass_on(const Written& module, std::vector<std::string>& parameters) {
        for (const auto& [name, own] : module.kept)
            parameters.push_back(fmt::format(".{}({})", own, module_.number(name, 0).value_or("")));
    }

    static std::string instance_text(const std::string& indent, const std::string& module,
                                     const std::vector<std::string>& parameters,
                                     const std::string& name,
                                     const std::vector<std::string>& connections) {
        return fmt::format("{0}{1}{2} {3} (\n{0}    {4}\n{0});\n", indent, module,
                           parameters.empty() ? ""
                                              : fmt::format(" #({})", fmt::join(parameters, ", ")),
                           name, fmt::join(connections, ",\n    " + indent));
    }

    static std::string connection(const ModulePort& port, const std::vector<std::string>& parts) {
        return fmt::format(".{}({}{})", port.name,
                           port.output ? std::string(1, driven_mark) : std::string{},
                           joined(parts));
    }

    /// The first element rightmost.
    static std::string joined(const std::vector<std::string>& parts) {
        if (parts.size() == 1)
            return parts[0];
        std::string all;
        for (std::size_t k = parts.size(); k-- > 0;)
            all += parts[k] + (k == 0 ? "" : ", ");
        return "{" + all + "}";
    }

    /// A generate loop over a family whose members differ by what an expression can say.
    std::optional<std::string> loop_over(const expr::UnitText& unit,
                                         const std::vector<const Written*>& modules) {
        if (!unit.kept.empty())
            return std::nullopt;
        for (const Written* module : modules)
            if (module->name != modules[0]->name)
                return std::nullopt;
        std::vector<std::string> variables;
        for (std::size_t d = 0; d < unit.indices.size(); ++d)
            variables.push_back(module_.names().take(
                unit.indices[d].empty() ? fmt::format("{}_{}", unit.name, d) : unit.indices[d]));
        LoopIndex index{scope_, unit, module_, variables};
        std::string indent = "    ", text, end;
        for (std::size_t d = 0; d < variables.size(); ++d) {
            text = fmt::format("    genvar {};\n{}", variables[d], text);
            text += fmt::format("{0}for ({1} = {2}; {1} < {3}; {1} = {1} + 1) begin : {4}\n",
                                indent + "    ", variables[d], unit.lows[d],
                                unit.lows[d] + static_cast<std::int64_t>(unit.counts[d]),
                                d == 0 ? names_[&unit] : fmt::format("at_{}", d));
            end = fmt::format("{}    end\n{}", indent, end);
            indent += "    ";
        }
        const std::size_t loops = text.find("        for (");
        text.insert(loops, "    generate\n");
        indent += "    ";
        const Written& module = *modules[0];
        const auto constants = [&](const std::string& wanted, const std::vector<Words>& values,
                                   std::uint64_t width) {
            return constant_slice(unit, wanted, values, width, index);
        };
        std::vector<std::string> parameters = module.given;
        for (const ModuleParameter& each : module.parameters)
            parameters.push_back(fmt::format(
                ".{}({})", each.name,
                each.dimension >= 0 ? variables[static_cast<std::size_t>(each.dimension)]
                                    : constants(each.name, each.values, each.width)));
        pass_on(module, parameters);
        std::vector<std::string> connections = connected_clocks(unit, module);
        for (const ModulePort& port : module.ports) {
            std::vector<std::string> parts;
            for (const auto& [element, piece] :
                 pieces_of(unit, instance_, graph_, port, all_.packed)) {
                const Wiring wires = wiring(unit, piece, element, 0, modules.size());
                if (!wires.places.empty() && !wires.literals.empty())
                    return std::nullopt;
                if (wires.places.empty()) {
                    parts.push_back(constants(port.name, wires.values, piece.width));
                    continue;
                }
                for (const Place& place : wires.places)
                    if (place.name != wires.places[0].name)
                        return std::nullopt;
                const auto low = index.low_bit(piece, element, wires.places);
                if (!low)
                    return std::nullopt;
                const Place& first = wires.places[0];
                parts.push_back(first.whole() ? first.name
                                : piece.width == 1
                                    ? fmt::format("{}[{}]", first.name, *low)
                                    : fmt::format("{}[{} +: {}]", first.name, *low, piece.width));
            }
            connections.push_back(connection(port, parts));
        }
        return text + instance_text(indent, module.name, parameters, "unit", connections) + end +
               "    endgenerate\n";
    }

    /// What differs from member to member, out of one vector of constants.
    std::string constant_slice(const expr::UnitText& unit, const std::string& wanted,
                               const std::vector<Words>& values, std::uint64_t width,
                               const LoopIndex& index) {
        if (std::all_of(values.begin(), values.end(),
                        [&](const Words& each) { return each == values[0]; }))
            return literal(values[0], width);
        Words all;
        for (std::size_t m = 0; m < values.size(); ++m)
            put_bits(all, m * width, values[m], width);
        const std::uint64_t bits = width * values.size();
        const std::string name = module_.names().take(fmt::format("{}_{}", unit.name, wanted));
        constants_ +=
            fmt::format("    localparam {}{} = {};\n", range_of(bits), name, literal(all, bits));
        if (width == 1)
            return fmt::format("{}[{}]", name, index.member());
        return fmt::format("{}[{} * {} +: {}]", name, index.member(), width, width);
    }

    const expr::ModuleView& scope_;
    std::uint64_t instance_;
    Export& all_;
    const Graph& graph_;
    ModuleText module_;
    ScopeSignals signals_;
    std::string constants_;
    std::vector<std::unique_ptr<Written>> processes_;
    std::map<const expr::UnitText*, bool> looped_;
    std::map<const expr::UnitText*, std::string> names_;
    std::map<std::string, std::string> bases_; // by the names of units
};

} // namespace

Written write_process_of(const expr::ModuleView& scope, std::uint64_t instance,
                         const expr::UnitText& unit, Export& all, std::uint64_t member,
                         std::uint64_t count) {
    const std::uint64_t members = unit.count();
    const expr::ModuleView& home = unit.inside ? *unit.inside : scope;
    Written made = write_process({all.graph, *unit.family, *unit.process, *home.scope,
                                  home.parameters, unit.inside ? unit.inside->name : unit.name, "",
                                  unit.inside ? unit.inside->declared : unit.declared,
                                  instance * members + member, count == 0 ? members : count,
                                  &home == all.network ? &all.kept : nullptr,
                                  unit.inside != nullptr, all.packed},
                                 all.modules, all.diagnostics);
    // in the whole network the dimensions of the instances around it come first
    const std::size_t around = unit.process->indices.size() - unit.counts.size();
    for (ModuleParameter& parameter : made.parameters)
        if (parameter.dimension >= 0)
            parameter.dimension -= static_cast<int>(around);
    return made;
}

std::uint64_t bus_of(const expr::UnitText& unit, std::uint64_t instance, const Graph& graph,
                     const ModulePort& port, std::uint64_t member, std::uint64_t element) {
    const std::uint64_t at = instance * unit.count() + member;
    if (unit.process || unit.verilog)
        return static_cast<std::uint64_t>(
            graph.processes[*unit.family].ports[port.graph_port + element].buses.at(at));
    for (const expr::ViewText& view : unit.inside->views)
        if (view.name == port.port)
            return port.back < 0
                       ? view.element(at, element)
                       : view.backs[static_cast<std::size_t>(port.back)].element(at, element);
    return 0;
}

std::vector<std::string> parameters_of(const expr::UnitText& unit, const Written& module,
                                       std::uint64_t member, std::uint64_t first) {
    std::vector<std::string> parameters = module.given;
    for (const ModuleParameter& each : module.parameters)
        parameters.push_back(fmt::format(
            ".{}({})", each.name,
            each.dimension >= 0 ? std::to_string(member_indices(
                                      unit, member)[static_cast<std::size_t>(each.dimension)])
                                : literal(each.values[member - first], each.width)));
    return parameters;
}

const Written& write_scope(const expr::ModuleView& scope, std::uint64_t instance, bool is_network,
                           Export& all) {
    const auto key = all.key(scope, instance);
    const auto [found, fresh] = all.written.try_emplace(key);
    if (!fresh)
        return found->second;
    Written made;
    ScopeLayout layout;
    const std::string text = ScopeModule{scope, instance, is_network, all}.write(made, layout);
    made.name = all.modules.add(scope.name, text, &scope == all.top);
    all.layouts[key] = std::move(layout);
    return all.written[key] = std::move(made);
}

} // namespace sme::hdl
