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
    std::string name; // with its scopes: "stage[1].count"
    unsigned width = 1;
    std::uint32_t code = 0; // signals with the same code are one net
    bool is_clock = false;  // the net of a clock that rises in every cycle
};

/// Returns the signals of a model built with them, in its order, except those of more than 4096
/// bits or without bits. `path`: to the module; a wrapper contributes only its ports. `clocks`: the
/// ports that rise in every cycle.
std::vector<InsideSignal> inside_signals(Model& model, const std::string& path,
                                         const std::set<std::string>& clocks);

} // namespace sme::verilator
