// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "verilator/run/library.hpp"

namespace sme::verilator {

/// A signal inside a module.
struct InsideSignal {
    std::string name; // with the scopes around it: "stage[1].count"
    unsigned width = 1;
    std::uint32_t code = 0; // signals of one net have one code
    bool is_clock = false;  // it is the net of a clock that rises in every cycle
};

/// Those of a model that was built with them, in its order; none of more than 4096 bits, and none
/// that is no bits. `path`: to the module; of a module around it only the ports are among them.
/// `clocks`: the ports that rise in every cycle.
std::vector<InsideSignal> inside_signals(Model& model, const std::string& path,
                                         const std::set<std::string>& clocks);

} // namespace sme::verilator
