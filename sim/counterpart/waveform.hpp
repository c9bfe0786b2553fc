// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "counterpart/interface.hpp"

namespace sme::counterpart {

/// Where in a file of value changes an implementation was recorded.
struct WaveformPlace {
    std::string path;
    std::string scope; // "bench.dut"; empty: the one that has all ports
    std::string clock; // in the scope, or a whole name; empty: `clk`, `clock`, that of the file
    std::string reset; // "NAME", "NAME=0"; empty: `rst`, when the scope has one
};

/// The values of a port, cycle by cycle.
struct RecordedPort {
    bool found = false;
    std::size_t row_bytes = 0;
    std::vector<std::byte> values; // [cycle][element]; bits that are not known are 0
    std::vector<std::byte> known;  // alike: 1 where a bit is known
    std::uint64_t unknown = 0;     // scalars with such a bit, of all cycles
};

/// What ports were before each rising edge of the clock, from the first one without reset on.
struct Recording {
    std::string scope;
    std::string clock;
    bool clock_guessed = false; // by its name
    std::uint64_t cycles = 0;
    std::vector<RecordedPort> ports; // as in the interface
    std::string ended;               // why it is not used to its end; empty: it is
    ClockRate rate;                  // of the clock whose cycles are those of the recording

    /// How many cycles of the network it takes.
    std::uint64_t network_cycles() const { return (cycles - 1) * rate.every + rate.offset + 1; }
};

/// Reads the recording of an implementation. Nothing when something was reported: an input that is
/// missing, a port of another width, no edge.
std::optional<Recording> read_recording(const WaveformPlace& place, const Interface& interface,
                                        const Graph& graph, Diagnostics& diagnostics);

/// The first implementation alone, its inputs as they were recorded, beside what was recorded of
/// its outputs.
struct Replay {
    Graph graph;
    Pair pair;
};
Replay replay_of(const Recording& recording, const Interface& interface, const std::string& other,
                 const Graph& graph);

} // namespace sme::counterpart
