// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "network/verilog.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// The signals inside a module, ordered by their paths, from a flat tree where all are public;
/// `top` is the name of the module or, where there is one around it,
/// the path to it, and `described` says which ports are clocks. Those whose names the network
/// language cannot write are left out.
std::vector<VerilogSignal> read_signals(const ElementTree& tree, const std::string& top,
                                        const VerilogModule& described);

nlohmann::ordered_json json_of(const std::vector<VerilogSignal>& signals);
/// Throws nlohmann::json::exception when that is no such data.
std::vector<VerilogSignal> signals_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
