// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "export/modules/module_set.hpp"
#include "export/modules/top.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"

namespace sme::hdl {

/// A vector of the written network with known values: an input, or buses anywhere in the network.
struct Watched {
    std::string path;  // as the test bench writes it: "total", "dut.stage.mem_out"
    std::string title; // for messages: the bus, as the language calls it
    std::uint64_t width = 1;
    struct Part {
        std::uint64_t element; // among the network's buses
        int field;             // of a bundle; -1: the whole bundle
        std::uint64_t width;
    };
    std::vector<Part> parts; // rightmost first
    Words before = {};       // of an input: its value before cycle 0
    std::uint32_t late = 0;  // the buses show the vector's value this many cycles later
};

/// The words of a state that is an array.
struct WatchedMemory {
    std::string path; // as in `Watched`
    std::size_t process;
    std::uint64_t instance;
    std::size_t memory;  // among those of the process
    std::uint64_t width; // of a word
    bool is_addressed;   // words with addresses; otherwise one vector, word 0 rightmost
    bool is_reset;       // `rst` gives it its initial words
};

/// A file, named relative to its target folder.
struct ExportedFile {
    std::string name;
    std::string text;
};

/// Test benches count cycles in Verilog integers, which must stay below this.
inline constexpr std::uint64_t integers = std::uint64_t{1} << 31;

/// A clock of the top module and its reset.
struct ExportedClock {
    ClockPorts ports;
    ClockRate rate; // in cycles of the network
};

/// A network as Verilog, and as the trees from which other languages are written.
struct Exported {
    std::string top;    // the module of the network, or of the requested part
    std::string called; // the own name of the network, which a Verilog module in it may also have
    std::vector<rtl::Given> parameters; // values from the test bench
    std::vector<std::string> left_out;  // the parts of the network beside the requested one
    std::vector<std::string> kept;      // network parameters that stay parameters
    std::vector<ExportedFile> modules;
    std::vector<rtl::Module> trees; // the same modules; each follows the modules that it
                                    // instantiates
    std::vector<std::string> hints; // causes of larger hardware, a sentence each
    std::vector<ExportedClock> clocks;
    std::vector<Watched> inputs;  // its input ports except clocks and resets
    std::vector<Watched> outputs; // its output ports
    std::vector<Watched> watched; // all buses
    std::vector<Watched> states;  // of the processes, apart from arrays
    std::vector<WatchedMemory> memories;
    // Of processes that are Verilog modules:
    std::vector<rtl::Module> foreign;   // their ports, for each set of parameters
    std::vector<ExportedFile> sources;  // their source files
    std::vector<ExportedFile> included; // the files that these include
    std::vector<std::string> defines;   // NAME or NAME=text
    std::vector<std::string> plusargs;
    unsigned reset_cycles = 1; // length of the reset before cycle 0
};

/// How to write a network.
struct ExportOptions {
    std::string top;     // a component or process to write alone (find_top); empty: all
    KeptParameters kept; // parameters to keep, if the text uses them; the caller guarantees that
                         // the text is the same for other values
    bool packed = false; // a bus of a struct is one vector; otherwise each field is one
};

/// Writes a network. Reports what it cannot write.
Exported export_network(const expr::ModuleView& network, const Graph& graph,
                        Diagnostics& diagnostics, const ExportOptions& options = {});

/// Returns the test bench that replays a run of `cycles` cycles. The values are in `value_file(k)`:
/// first those of the inputs, then those of the watched vectors.
std::string bench_text(const Exported& exported, std::uint64_t cycles);
/// Returns the name of its module, which is also that of its file.
std::string bench_name(const Exported& exported);
std::string value_file(const Exported& exported, std::size_t number);

/// Returns the lines of an argument file with which tools read the existing modules:
/// "+define+WIDE", file names.
std::string sources_listed(const Exported& exported);

} // namespace sme::hdl
