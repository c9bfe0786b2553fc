// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "verilator/build/messages.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// The kind of all instances of a module.
class ModuleFactory final : public GroupFactory {
public:
    explicit ModuleFactory(std::shared_ptr<const ModulePlan> plan) : plan_{std::move(plan)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return make_group(plan_, build);
    }
    const ModulePlan& plan() const { return *plan_; }

private:
    std::shared_ptr<const ModulePlan> plan_;
};

/// The plan of a process whose ports are those of the family, without its library; gives the family
/// its parts. Null when something was reported.
std::shared_ptr<ModulePlan> plan_of(const VerilogModule& module, const Netlist& netlist,
                                    const std::vector<VerilogBinding>& bindings,
                                    VerilogSources& sources, ProcessFamily& family,
                                    Diagnostics& diagnostics);

/// Adds a bus for each signal inside, and the family's ports that write them. They are wires: in
/// each cycle they show what the module has when it has settled.
void add_inside(ModulePlan& plan, ProcessFamily& family, Graph& graph);

/// What the registered outputs of an instance show after the reset becomes the initial value of
/// their buses. False when something was reported.
bool show_initial(const ModulePlan& plan, const ProcessFamily& family, std::uint64_t instance,
                  std::uint64_t seed, Graph& graph, Diagnostics& diagnostics);

} // namespace sme::verilator
