// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verilator/run/library.hpp"

namespace sme::verilator {

/// A signal inside a module.
struct InsideSignal {
    std::string name; // with the scopes around it: "stage[1].count"
    unsigned width = 1;
    std::uint32_t code = 0; // signals of one net have one code
    bool is_clock = false;  // it is the net of the module's clock
};

/// Those of a model that was built with them, in its order; none of more than 4096 bits, and none
/// that is no bits. `clock`: the port; empty: there is none.
std::vector<InsideSignal> inside_signals(Model& model, const std::string& clock);

} // namespace sme::verilator
