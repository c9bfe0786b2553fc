// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "export/clock_ports.hpp"
#include "export/module_set.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"

namespace sme::hdl {

/// A vector of the written network whose values are known: of an input, or of buses anywhere in it.
struct Watched {
    std::string path;  // as the test bench writes it: "total", "dut.stage.mem_out"
    std::string title; // for messages: the bus, as the language calls it
    std::uint64_t width = 1;
    struct Part {
        std::uint64_t element; // of the buses of the network
        int field;             // of a bundle; -1: all of it
        std::uint64_t width;
    };
    std::vector<Part> parts; // rightmost first
    std::uint32_t late = 0;  // the buses show so many cycles later what the vector shows
};

/// A file, named relative to the folder it is meant for.
struct ExportedFile {
    std::string name;
    std::string text;
};

/// Test benches count the cycles of a run in integers, which are below this.
inline constexpr std::uint64_t integers = std::uint64_t{1} << 31;

/// A clock of the top module, with the reset that belongs to it.
struct ExportedClock {
    ClockPorts ports;
    ClockRate rate; // in cycles of the network
};

/// A network as Verilog, and as the trees that other languages are written from.
struct Exported {
    std::string top;                    // the module of the network, or of what was asked for
    std::vector<rtl::Given> parameters; // that the test bench gives it
    std::vector<std::string> left_out;  // what stands beside it in the network
    std::vector<std::string> kept;      // parameters of the network that it has
    std::vector<ExportedFile> modules;
    std::vector<rtl::Module> trees; // the same, what they are made of first
    std::vector<std::string> hints; // what keeps it from being smaller, a sentence each
    std::vector<ExportedClock> clocks;
    std::vector<Watched> inputs;  // input ports of it, but clocks and resets
    std::vector<Watched> outputs; // its output ports
    std::vector<Watched> watched; // all buses
    // Of processes that are modules already:
    std::vector<rtl::Module> foreign;   // their ports, for each set of parameters
    std::vector<ExportedFile> sources;  // their files
    std::vector<ExportedFile> included; // what these include
    std::vector<std::string> defines;   // NAME or NAME=text
    std::vector<std::string> plusargs;
    unsigned reset_cycles = 1; // the resets are held so long before cycle 0
};

/// How a network is written.
struct ExportOptions {
    std::string top;     // a component or process, which is written alone (find_top); empty: all
    KeptParameters kept; // those that the text uses become parameters: it is for the caller to know
                         // that it is the same text for other values
    bool packed = false; // a bus of a struct is one vector; else each of its fields is one
};

/// Writes a network. What cannot be written is reported.
Exported export_network(const expr::ModuleView& network, const Graph& graph,
                        Diagnostics& diagnostics, const ExportOptions& options = {});

/// The test bench that replays a run of `cycles` cycles, whose values lie in `value_file(k)`: those
/// of the inputs first, then those of what is watched.
std::string bench_text(const Exported& exported, std::uint64_t cycles);
/// Its module, which is in a file of that name.
std::string bench_name(const Exported& exported);
std::string value_file(const Exported& exported, std::size_t number);

/// Lines of a file of arguments by which tools read the modules that were there: "+define+WIDE",
/// names of files.
std::string sources_listed(const Exported& exported);

} // namespace sme::hdl
