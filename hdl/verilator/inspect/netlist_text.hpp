// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// Converts the ports of a netlist to a text for the cache.
nlohmann::ordered_json json_of(const Netlist& netlist);
/// Throws nlohmann::json::exception if the text is invalid.
Netlist netlist_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
