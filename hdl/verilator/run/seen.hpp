// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verilator/run/module_process.hpp"

namespace sme::verilator {

/// Implements `VerilogModules::look_at` for a family with this plan.
std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element, ModulePlan& plan,
                      ProcessFamily& family, Graph& graph);

/// Tests whether the built module of a plan shows all observed signals; reports the others.
bool check_seen(const ModulePlan& plan, Diagnostics& diagnostics);

} // namespace sme::verilator
