// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "network/verilog.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// Returns the signals inside a module, ordered by path, from a flat tree with all signals public;
/// `top` is the name of the module, or its path inside a wrapper, and `described` tells which ports
/// are clocks. Omits signals whose names the network language cannot write. Throws
/// `ReadingInterrupted` soon after `unwanted` becomes true.
std::vector<VerilogSignal> read_signals(const ElementTree& tree, const std::string& top,
                                        const VerilogModule& described,
                                        const std::atomic<bool>* unwanted = nullptr);

nlohmann::ordered_json json_of(const std::vector<VerilogSignal>& signals);
/// Throws nlohmann::json::exception if the text is invalid.
std::vector<VerilogSignal> signals_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
