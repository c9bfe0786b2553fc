// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "verilator/build/verilator_output.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// The kind of all instances of a module.
class ModuleFactory final : public GroupFactory {
public:
    explicit ModuleFactory(std::shared_ptr<const ModulePlan> plan)
        : GroupFactory{[plan](const Build& build) { return make_group(plan, build); },
                       usual_module},
          plan_{std::move(plan)} {}
    const ModulePlan& plan() const { return *plan_; }

private:
    static constexpr double usual_module = 1000; // operations in a cycle

    std::shared_ptr<const ModulePlan> plan_;
};

/// Returns the plan of a process whose ports are those of the family, without its library; gives
/// the family its parts. Null if it reported an error.
std::shared_ptr<ModulePlan> plan_of(const VerilogModule& module, const Netlist& netlist,
                                    const std::vector<VerilogBinding>& bindings,
                                    VerilogSources& sources, ProcessFamily& family,
                                    Diagnostics& diagnostics);

/// Adds a bus for each inside signal, and the family's ports that write them. The buses are wires:
/// in each cycle they show the settled values of the module.
void add_inside(ModulePlan& plan, ProcessFamily& family, Graph& graph);

/// Makes the outputs of registers after the reset the initial values of their buses. Returns false
/// if it reported an error.
bool show_initial(const ModulePlan& plan, const ProcessFamily& family, std::uint64_t instance,
                  std::uint64_t seed, Graph& graph, Diagnostics& diagnostics);

} // namespace sme::verilator
