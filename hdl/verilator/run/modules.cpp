// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/modules.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/inspect/list_check.hpp"
#include "verilator/run/module_process.hpp"
#include "verilator/run/seen.hpp"

namespace sme::verilator {

Modules::Known* Modules::know(const VerilogModule& module, Diagnostics& diagnostics) {
    const std::string identity = builder_.identity(module);
    const std::size_t before = diagnostics.errors();
    const auto [place, result] = known_.try_emplace(identity);
    Known& known = place->second;
    if (!result)
        return known.usable ? &known : nullptr;
    bool is_new = true; // the build already reported the warnings of a cached module
    check_lists(module, diagnostics, settings_.reads);
    if (diagnostics.errors() != before)
        return nullptr;
    if (auto kept = ModuleCache{settings_.folder}.find(identity)) {
        known.netlist = std::move(kept->netlist);
        known.object = std::move(kept->object);
        is_new = purpose_ == Purpose::look || diagnostics.is_strict();
    } else if (auto netlist = builder_.kept_netlist(identity)) {
        known.netlist = std::move(*netlist);
        Diagnostics again; // some of Verilator's messages are errors here
        add_messages(known.netlist.said, module, sources_, again);
        is_new = purpose_ == Purpose::look || diagnostics.is_strict() || again.errors() > 0;
        known.unsaid = !is_new; // reported if it is built
    } else if (auto read = builder_.inspect(module, diagnostics))
        known.netlist = std::move(*read);
    else
        return nullptr;
    const Netlist& netlist = known.netlist;
    const std::size_t errors = diagnostics.errors();
    if (is_new)
        add_messages(netlist.said, module, sources_, diagnostics);
    if (diagnostics.errors() != errors) // warnings under --strict
        return nullptr;
    if (!netlist.problem.empty()) {
        diagnostics
            .add(Code::verilog_port,
                 sources_.at(netlist.problem_file, netlist.problem_line, netlist.problem_column),
                 fmt::format("module '{}': {}", module.top.text, netlist.problem))
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

const std::vector<VerilogSignal>* Modules::signals(const VerilogModule& module,
                                                   Diagnostics& diagnostics) {
    Known* const known = know(module, diagnostics);
    if (!known)
        return nullptr;
    if (!known->inside)
        known->inside = builder_.signals(module, known->netlist, diagnostics);
    return known->inside ? &*known->inside : nullptr;
}

std::uint64_t Modules::look_at(const VerilogSignal& signal, std::uint64_t element,
                               ProcessFamily& family, Graph& graph) {
    Attached& attached = plans_.at(family.kind.get());
    const std::uint64_t first = verilator::look_at(signal, element, *attached.plan, family, graph);
    std::vector<std::string>& all = attached.known->seen;
    std::vector<std::string> both;
    std::set_union(all.begin(), all.end(), attached.plan->module.seen.begin(),
                   attached.plan->module.seen.end(), std::back_inserter(both));
    const bool arrays = attached.plan->module.seen_arrays && !attached.known->seen_arrays;
    if (both != all || arrays)
        attached.known->object.clear(); // the cached object does not show it
    all = std::move(both);
    attached.known->seen_arrays = attached.known->seen_arrays || arrays;
    return first;
}

std::shared_ptr<const Library> Modules::load(const VerilogModule& module, Known& known,
                                             Diagnostics& diagnostics) {
    if (!settings_.may_run) {
        diagnostics.add(Code::verilog_missing, module.where,
                        fmt::format("module '{}' is Verilog, which {} forbids to run",
                                    module.top.text, settings_.forbidden_by));
        return nullptr;
    }
    if (known.object.empty()) {
        VerilogModule wanted = module;
        wanted.seen = known.seen;
        wanted.seen_arrays = known.seen_arrays;
        bool built = false;
        const auto object =
            wanted.seen.empty()
                ? builder_.build(wanted, known.netlist, diagnostics, built)
                : builder_.build_to_show(wanted, *known.inside, known.netlist, diagnostics, built);
        if (!object)
            return nullptr;
        if (built && std::exchange(known.unsaid, false))
            add_messages(known.netlist.said, module, sources_, diagnostics);
        known.object = *object;
    }
    std::shared_ptr<const Library>& library = loaded_[known.object];
    if (library)
        return library;
    std::string problem;
    library = Library::load(known.object, problem);
    if (library && settings_.unwanted)
        library->abi().watch(settings_.unwanted);
    if (!library)
        diagnostics.add(Code::verilog_build, module.where,
                        fmt::format("module '{}' cannot be loaded: {}", module.top.text, problem));
    return library;
}

bool Modules::attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                     ProcessFamily& family, Graph& /*graph*/, Diagnostics& diagnostics) {
    Known* const known = know(module, diagnostics);
    if (!known)
        return false;
    auto plan = plan_of(module, known->netlist, bindings, sources_, family, diagnostics);
    if (!plan)
        return false;
    family.kind = std::make_shared<ModuleFactory>(plan);
    plans_[family.kind.get()] = {std::move(plan), known};
    return true;
}

std::string Modules::contents_of(const GroupFactory* kind) const {
    const auto found = plans_.find(kind);
    if (found == plans_.end())
        return {};
    const ModulePlan& plan = *found->second.plan;
    return builder_.identity(plan.module) + ModuleCache::sources_of(found->second.known->object) +
           plan.data_files.contents();
}

bool Modules::build(ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) {
    const auto found = plans_.find(family.kind.get());
    if (found == plans_.end() || found->second.plan->library)
        return true;
    ModulePlan& plan = *found->second.plan;
    plan.library = load(plan.module, *found->second.known, diagnostics);
    if (plan.library && plan.module.trace_inside && inside_)
        add_inside(plan, family, graph);
    return plan.library && check_seen(plan, diagnostics);
}

bool Modules::build_all(Graph& graph, Diagnostics& diagnostics) {
    const std::size_t buses = graph.buses.size();
    if (purpose_ == Purpose::run)
        for (ProcessFamily& family : graph.processes)
            build(family, graph, diagnostics);
    return graph.buses.size() != buses;
}

bool Modules::start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed,
                    Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    for (const ProcessFamily& family : graph.processes) {
        const auto found = plans_.find(family.kind.get());
        if (found == plans_.end() || !found->second.plan->library)
            continue;
        ModulePlan& plan = *found->second.plan;
        plan.module.clock_ps = clock_ps;
        if (plan.registered.empty())
            continue;
        for (std::uint64_t instance = 0; instance < family.count; ++instance)
            if (!show_initial(plan, family, instance, seed, graph, diagnostics))
                break;
    }
    return diagnostics.errors() == errors;
}

} // namespace sme::verilator
