// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counterpart/waveform.hpp"
#include "yaml/data/vcd_signals.hpp"

namespace sme::counterpart {

/// Signals of the ports of an implementation in a file.
struct RecordedScope {
    std::string name;
    std::vector<std::vector<yaml::VcdWord>> ports; // words of each; none: it is not there
    std::uint32_t clock = 0;
    std::string clock_name;
    bool clock_guessed = false; // by its name
    ClockRate rate;             // of the clock
    struct Reset {
        std::uint32_t signal;
        char active; // '0' or '1'
    };
    std::optional<Reset> reset;
};

/// Finds the scope that has the ports, their signals, the clock and the reset. `families` are the
/// ports as families of buses, null for those that are left out; `domain` is that of
/// the implementation, or null. Nothing when something was reported.
std::optional<RecordedScope> find_scope(const vcd::Declarations& declarations,
                                        const WaveformPlace& place, const Interface& interface,
                                        const std::vector<BusFamily>& families,
                                        const std::vector<std::string>& bus_names,
                                        const ClockDomain* domain, Diagnostics& diagnostics);

} // namespace sme::counterpart
