// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "network/verilog.hpp"

namespace sme::verilator {

/// The signals inside a module, ordered by their paths, from what `verilator --xml-only --flatten`
/// writes where all are public; `top` is the name of the module or, where there is one around it,
/// the path to it, and `described` says which ports are clocks. Those whose names the network
/// language cannot write are left out. Nothing when it is no such text.
std::optional<std::vector<VerilogSignal>>
read_signals(const std::string& xml, const std::string& top, const VerilogModule& described);

nlohmann::ordered_json json_of(const std::vector<VerilogSignal>& signals);
/// Throws nlohmann::json::exception when that is no such data.
std::vector<VerilogSignal> signals_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
