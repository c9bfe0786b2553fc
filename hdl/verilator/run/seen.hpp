// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verilator/run/module_process.hpp"

namespace sme::verilator {

/// `VerilogModules::look_at` for a family with this plan.
std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element, ModulePlan& plan,
                      ProcessFamily& family, Graph& graph);

/// Whether the module of a plan that was built shows all that is looked at; else it is reported.
bool check_seen(const ModulePlan& plan, Diagnostics& diagnostics);

} // namespace sme::verilator
