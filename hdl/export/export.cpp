// SPDX-License-Identifier: Apache-2.0
#include "export/export.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/modules/connection.hpp"
#include "export/modules/module_text.hpp"
#include "export/modules/scope_module.hpp"
#include "export/modules/top.hpp"
#include "export/rtl/module.hpp"
#include "export/source_files.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

namespace {

/// Returns the first elements of the bus families that inputs feed.
std::set<std::uint64_t> fed_families(const Graph& graph) {
    std::set<std::uint64_t> found;
    for (const BusFamily& bus : graph.buses)
        for (const ProcessFamily& process : graph.processes)
            if (process.feeds(bus) == bus.count)
                found.insert(bus.first);
    return found;
}

/// Sets the values of inputs before cycle 0: the initial values of their buses; zero for a bus that
/// is fed, whose first row is that of cycle 0.
void begin_inputs(const Graph& graph, std::vector<Watched>& inputs) {
    const std::set<std::uint64_t> fed = fed_families(graph);
    for (Watched& input : inputs) {
        input.before.assign((input.width + 63) / 64, 0);
        std::uint64_t at = 0;
        for (const Watched::Part& part : input.parts) {
            if (fed.count(graph.family_of(part.element).first) == 0)
                put_bits(input.before, at, initial_bits(graph, part.element, part.field),
                         part.width);
            at += part.width;
        }
    }
}

/// Returns the bus families visible outside: those that are recorded or checked, and those without
/// a reader. All families, if there are no such ones.
std::set<std::uint64_t> shown_families(const expr::ModuleView& network, const Graph& graph) {
    std::set<std::uint64_t> read, observed, shown;
    for (const ProcessFamily& process : graph.processes)
        for (const Port& port : process.ports)
            if (!port.output && !port.own)
                for (const Segment& run : port.buses.runs()) {
                    const auto first = static_cast<std::uint64_t>(run.offset);
                    (process.observer ? observed : read).insert(graph.family_of(first).first);
                }
    std::set<std::uint64_t> all;
    for (const expr::BusView* view : network.views) {
        const std::uint64_t family = graph.family_of(view->element(0, 0)).first;
        all.insert(family);
        if (read.count(family) == 0 || observed.count(family) > 0)
            shown.insert(family);
    }
    return shown.empty() ? all : shown;
}

bool begins_alike(const Graph& graph) {
    return std::all_of(
               graph.buses.begin(), graph.buses.end(),
               [](const BusFamily& bus) { return bus.initial.size() <= bus.type->size(); }) &&
           std::all_of(
               graph.processes.begin(), graph.processes.end(), [](const ProcessFamily& process) {
                   return std::all_of(
                       process.memories.begin(), process.memories.end(), [](const Memory& memory) {
                           return memory.initial.size() <= memory.words * memory.element->size();
                       });
               });
}

Watched watched_of(const Signal& signal, std::uint64_t instance, const std::string& path,
                   const std::string& title) {
    Watched result{path + signal.name, title, signal.bits(), {}};
    result.title += signal.view->name;
    for (const PortField& field : port_fields(*signal.view->type, false))
        if (field.field == signal.field && field.back == signal.back)
            result.title += "." + field.name;
    for (std::uint64_t place = 0; place < signal.count; ++place)
        result.parts.push_back({signal.element(instance, place), signal.field, signal.width});
    return result;
}

/// Adds the states of an instance of a process.
void watch_states(const std::vector<WrittenState>& states, std::size_t process,
                  std::uint64_t instance, const std::string& path, const Graph& graph,
                  Exported& into) {
    for (const WrittenState& state : states) {
        if (state.memory) {
            into.memories.push_back({path + state.name, process, instance, *state.memory,
                                     state.width, state.is_addressed, state.is_reset});
            continue;
        }
        const auto element = static_cast<std::uint64_t>(
            graph.processes[process].ports[state.graph_port].buses.at(instance));
        into.states.push_back({path + state.name,
                               graph.bus_name(element),
                               state.width,
                               {{element, -1, state.width}}});
    }
}

/// Adds all buses and states of a scope and of the scopes inside it.
void watch(const expr::ModuleView& scope, std::uint64_t instance, const std::string& path,
           const std::string& title, const Export& all, Exported& into) {
    const ScopeLayout& layout = all.layouts.at(all.key(scope, instance));
    for (const Signal& signal : layout.signals)
        if (signal.role == Signal::Role::own)
            into.watched.push_back(watched_of(signal, instance, path, title));
    for (const expr::Unit* each : scope.units) {
        const expr::Unit& unit = *each;
        if (unit.verilog || (!unit.inside && !unit.process))
            continue;
        const auto looped = layout.looped.find(&unit);
        for (std::uint64_t m = 0; m < unit.shape.count(); ++m) {
            const std::string name =
                instance_path(unit, m, looped != layout.looped.end() ? &looped->second : nullptr,
                              layout.names.at(&unit));
            const std::uint64_t inside = instance * unit.shape.count() + m;
            if (unit.process) {
                const auto& states = layout.states.at(&unit);
                watch_states(states[states.size() == 1 ? 0 : m], *unit.family, inside,
                             path + name + ".", all.graph, into);
            } else
                watch(*unit.inside, inside, path + name + ".", title + name + ".", all, into);
        }
    }
}

/// Adds the processes that are Verilog modules, at any depth.
void add_sources(const expr::ModuleView& scope, SourceFiles& files) {
    for (const expr::Unit* unit : scope.units) {
        if (unit->verilog)
            files.add(*unit->verilog, unit->name);
        if (unit->inside)
            add_sources(*unit->inside, files);
    }
}

/// The limit of tools for one vector, and of this export for one family.
constexpr std::uint64_t most = std::uint64_t{1} << 20;

void check_sizes(const expr::ModuleView& scope, Diagnostics& diagnostics) {
    const auto refuse = [&](const std::string& name, std::uint64_t size, const char* what,
                            const Location& where) {
        diagnostics.add(Code::bad_call, where,
                        fmt::format("'{}' has {} {}, but can be written with at most {}; make it "
                                    "smaller, with --set where a parameter says how large it is",
                                    name, size, what, most));
    };
    for (const expr::BusView* view : scope.views)
        if (const std::uint64_t bits = view->type->width_bits(); view->shape.count() > most / bits)
            refuse(view->name, view->shape.count() * bits, "bits", view->declared);
    for (const expr::Unit* unit : scope.units) {
        if (unit->shape.count() > most)
            refuse(unit->name, unit->shape.count(), "members", unit->declared);
        if (unit->inside)
            check_sizes(*unit->inside, diagnostics);
    }
}

/// Reports inputs that do not carry a whole family: an input becomes one port.
void check_fed(const Graph& graph, Diagnostics& diagnostics) {
    for (const ProcessFamily& process : graph.processes) {
        for (const Port& port : process.ports) {
            const auto element = static_cast<std::uint64_t>(port.buses.at(0));
            const BusFamily& bus = graph.family_of(element);
            if (const auto fed = process.feeds(bus); fed > 0 && fed < bus.count)
                diagnostics.add(Code::bad_call, port.declared,
                                fmt::format("an input feeds one member of '{}', but a port of a "
                                            "network that is written carries all of them; feed "
                                            "them together, or make '{}' a bus of its own",
                                            bus.name, bus.element_name(element)));
        }
    }
}

void add_files(const SourceFiles& files, Exported& into) {
    into.sources = files.sources();
    into.included = files.included();
    into.defines = files.defines();
    into.plusargs = files.plusargs();
    into.reset_cycles = files.reset_cycles();
}

std::vector<ExportedClock> clocks_of(const std::vector<expr::ModuleView::Domain>& domains,
                                     const Graph& graph) {
    std::vector<ExportedClock> clocks;
    for (const expr::ModuleView::Domain& each : domains)
        clocks.push_back({clock_ports(each.name), graph.rate_of(each.number)});
    return clocks;
}

/// Returns the vector of a port of a module written alone.
Watched port_of(const Top& top, const Graph& graph, const ModulePort& port) {
    Watched result{port.name, port.name, port.width * port.count, {}};
    for (std::uint64_t element = 0; element < port.count; ++element) {
        const std::uint64_t bus =
            bus_of(*top.unit, top.scope_instance, graph, port, top.member, element);
        result.parts.push_back({bus, port.field, port.width});
        if (port.output) // the delay line of a longer delay lies outside the module
            result.late = std::max(graph.family_of(bus).delay, 1U) - 1;
    }
    return result;
}

void add_modules(const Modules& modules, Exported& into) {
    into.trees = modules.all();
    for (const rtl::Module& module : into.trees)
        into.modules.push_back({module.name + ".v", wrapped(rtl::verilog(module))});
    into.foreign = modules.foreign();
    into.hints = modules.hints();
}

std::vector<std::string> names_of(const std::map<std::string, std::string>& kept) {
    std::vector<std::string> names;
    for (const auto& [name, own] : kept)
        names.push_back(name);
    return names;
}

Exported export_top(const expr::ModuleView& network, const Top& top, const Graph& graph,
                    const ExportOptions& options, Diagnostics& diagnostics) {
    const expr::Unit& unit = *top.unit;
    if (!unit.process && !unit.inside) {
        diagnostics.add(Code::bad_option, unit.declared,
                        fmt::format("--top: '{}' is {}", unit.name,
                                    unit.verilog ? "a Verilog module already"
                                                 : "not written in the language, so it cannot be "
                                                   "written as hardware"));
        return {};
    }
    SourceFiles files{diagnostics};
    if (unit.inside) {
        check_sizes(*unit.inside, diagnostics);
        add_sources(*unit.inside, files);
    }
    files.finish();
    if (diagnostics.has_errors())
        return {};
    Export all{graph,   diagnostics, {}, {},    {}, begins_alike(graph),
               nullptr, nullptr,     {}, false, {}, {}};
    all.modules.reserve(files.taken());
    all.network = &network;
    all.kept = options.kept;
    all.packed = options.packed;
    if (!unit.process) {
        all.top = unit.inside;
        all.modules.reserve({identifier(unit.inside->name)});
    }
    const WrittenModule module =
        unit.process ? write_process_of(*top.scope, top.scope_instance, unit, all, top.member, 1)
                     : write_scope(*unit.inside, top.instance(), false, all);
    Exported result;
    result.top = module.name;
    result.kept = names_of(module.kept);
    result.left_out = top.left_out;
    add_modules(all.modules, result);
    for (const ModulePort& port : module.ports)
        (port.output ? result.outputs : result.inputs).push_back(port_of(top, graph, port));
    begin_inputs(graph, result.inputs);
    result.watched = result.outputs;
    result.clocks = clocks_of(
        unit.process
            ? std::vector<expr::ModuleView::Domain>{{"", graph.processes[*unit.family].domain}}
            : unit.inside->domains,
        graph);
    if (unit.process) {
        result.parameters = parameters_of(unit, module, top.member, top.member);
        watch_states(module.states, *unit.family, top.instance(), "dut.", graph, result);
    } else
        watch(*unit.inside, top.instance(), "dut.", "", all, result);
    add_files(files, result);
    return result;
}

} // namespace

std::string sources_listed(const Exported& exported) {
    std::string result = exported.included.empty() ? "" : "+incdir+.\n";
    for (const std::string& define : exported.defines)
        result += fmt::format("+define+{}\n", define);
    for (const ExportedFile& file : exported.sources)
        result += file.name + '\n';
    return result;
}

namespace {

/// Returns the first single instance of a network that can be written alone; empty if there is
/// none.
std::string part_to_write(const expr::ModuleView& network, const Graph& graph,
                          ExportOptions options) {
    for (const expr::Unit* const unit : network.units) {
        options.top = unit->name;
        if (Diagnostics unheard; unit->inside && unit->shape.is_single()) {
            export_network(network, graph, unheard, options);
            if (!unheard.has_errors())
                return unit->name;
        }
    }
    return {};
}

} // namespace

Exported export_network(const expr::ModuleView& network, const Graph& graph,
                        Diagnostics& diagnostics, const ExportOptions& options) {
    if (!options.top.empty()) {
        const std::optional<Top> found = find_top(network, options.top, diagnostics);
        if (found && found->unit->verilog)
            diagnostics.add(Code::bad_option, network.declared,
                            fmt::format("--top: '{}' is module '{}', which is there in Verilog; "
                                        "give what it is in, or leave out --top",
                                        options.top, found->unit->verilog->module.top.text));
        else if (found)
            return export_top(network, *found, graph, options, diagnostics);
        return {};
    }
    check_sizes(network, diagnostics);
    check_fed(graph, diagnostics);
    SourceFiles files{diagnostics};
    add_sources(network, files);
    files.finish();
    if (diagnostics.has_errors())
        return {};
    Diagnostics found;
    Export all{graph, found, {}, fed_families(graph), {}, begins_alike(graph), nullptr, nullptr, {},
               false, {},    {}};
    all.shown = shown_families(network, graph);
    all.network = &network;
    all.kept = options.kept;
    all.packed = options.packed;
    all.modules.reserve(files.taken());
    Exported result;
    const WrittenModule& module = write_scope(network, 0, true, all);
    std::string part = found.has_errors() ? part_to_write(network, graph, options) : "";
    if (!part.empty())
        part = fmt::format(", or write '{0}' alone, with --top {0}", part);
    for (const Diagnostic& each : found.all()) // only the first one suggests it
        diagnostics.add(each.code, each.where, each.message + std::exchange(part, {})).notes =
            each.notes;
    result.top = module.name;
    result.called = identifier(network.name);
    result.clocks = clocks_of(network.domains, graph);
    result.kept = names_of(module.kept);
    add_modules(all.modules, result);
    for (const Signal& signal : all.layouts.at(all.key(network, 0)).signals)
        if (signal.is_port)
            (signal.role == Signal::Role::input ? result.inputs : result.outputs)
                .push_back(watched_of(signal, 0, "", ""));
    begin_inputs(graph, result.inputs);
    watch(network, 0, "dut.", "", all, result);
    add_files(files, result);
    return result;
}

} // namespace sme::hdl
