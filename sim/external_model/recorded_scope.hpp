// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "external_model/waveform.hpp"
#include "yaml/data/vcd_rows.hpp"

namespace sme::external_model {

/// The signals of an implementation's ports in a file.
struct RecordedScope {
    std::string name;
    std::vector<std::vector<yaml::VcdWord>> ports; // words; empty if a port is missing
    std::uint32_t clock = 0;
    std::string clock_name;
    bool clock_guessed = false; // found by its name
    ClockRate rate;             // of the clock
    struct Reset {
        std::uint32_t signal;
        char active; // '0' or '1'
    };
    std::optional<Reset> reset;
};

/// Finds the scope with the ports, their signals, the clock and the reset. `families`: the ports as
/// families of buses, null for ports to omit; `domain`: the domain of the implementation, or null.
/// Returns `nullopt` after reporting an error.
std::optional<RecordedScope> find_scope(const vcd::Declarations& declarations,
                                        const WaveformPlace& place, const Interface& interface,
                                        const std::vector<BusFamily>& families,
                                        const std::vector<std::string>& bus_names,
                                        const ClockDomain* domain, Diagnostics& diagnostics);

} // namespace sme::external_model
