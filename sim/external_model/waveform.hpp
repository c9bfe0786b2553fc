// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "external_model/interface.hpp"

namespace sme::external_model {

/// The position of a recorded implementation in a waveform file.
struct WaveformPlace {
    std::string path;
    std::string scope; // "bench.dut"; empty: the scope that has all ports
    std::string clock; // in the scope, or a full name; empty: `clk`, `clock`, a marked one
    std::string reset; // "NAME", "NAME=0"; empty: `rst`, if the scope has it
};

/// The values of a port in each cycle.
struct RecordedPort {
    bool found = false;
    std::size_t row_bytes = 0;
    std::vector<std::byte> values; // [cycle][element]; unknown bits are 0
    std::vector<std::byte> known;  // same layout: 1 for a known bit
    std::uint64_t unknown = 0;     // scalars with an unknown bit, over all cycles
};

/// The values of ports before each rising edge of the clock, from the first edge without reset.
struct Recording {
    std::string scope;
    std::string clock;
    bool clock_guessed = false; // found by its name
    std::uint64_t cycles = 0;
    std::vector<RecordedPort> ports; // in the order of the interface
    std::string ended;               // why the end of the file is not used; empty if it is
    ClockRate rate;                  // of the recording's clock

    /// The number of network cycles that the recording covers.
    std::uint64_t network_cycles() const { return (cycles - 1) * rate.every + rate.offset + 1; }
};

/// Reads the recording of an implementation. Returns `nullopt` after reporting an error, such as a
/// missing input, a port of another width, or no clock edge.
std::optional<Recording> read_recording(const WaveformPlace& place, const Interface& interface,
                                        const Graph& graph, Diagnostics& diagnostics);

/// The first implementation alone, with recorded inputs; its outputs are compared with the recorded
/// outputs.
struct Replay {
    Graph graph;
    Pair pair;
};
Replay replay_of(const Recording& recording, const Interface& interface, const std::string& other,
                 const Graph& graph);

} // namespace sme::external_model
