// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The ports of a netlist as data that is kept with what was built of it.
nlohmann::ordered_json json_of(const Netlist& netlist);
/// Throws nlohmann::json::exception when that is no such data.
Netlist netlist_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
