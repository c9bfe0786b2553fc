// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "expr/process/hierarchy.hpp"
#include "expr/process/observe.hpp"
#include "expr/program/program.hpp"
#include "expr/typing/value.hpp"
#include "network/graph.hpp"
#include "network/input_rows.hpp"
#include "network/pair.hpp"
#include "network/verilog.hpp"

namespace sme::yaml {

/// Who runs what the loader describes: makes the kinds of processes that a network needs.
struct Kinds {
    std::function<std::shared_ptr<const Kind>(std::shared_ptr<const expr::Program>)> process;
    std::function<std::shared_ptr<const Kind>(std::shared_ptr<const InputRows>)> input;
    std::function<std::shared_ptr<const Kind>(std::shared_ptr<const expr::CheckSet>)> checks;
    std::function<std::shared_ptr<const Kind>(std::shared_ptr<const expr::Recording>)> recording;
    VerilogModules* verilog = nullptr; // none: a network with Verilog is refused
};

/// A network file, loaded: the graph and what its run section says.
struct Design {
    Graph graph;
    std::shared_ptr<const expr::CheckSet> checks; // null when there are none
    std::vector<std::shared_ptr<const expr::Recording>> recordings;
    std::optional<std::uint64_t> cycles; // of the run section
    std::string trace;                   // of the run section; relative to the working folder
    Location trace_where;                // of its name
    std::uint64_t clock_ps = 10'000;     // of one cycle, in picoseconds
    bool ends_by_itself = false;         // an input or an output halts the run after a row
    bool may_halt = false;               // a process may halt the run
    bool library = false;                // a file of names: there is nothing to run
    std::vector<Pair> pairs;             // when the options ask for second implementations
    std::string
        printed; // the network as one file (network_printer.hpp), when the options ask for it
};

struct LoadOptions {
    /// Values for parameters, as in --set name=value.
    std::map<std::string, std::string> parameters;
    /// How much loading may cost, in units of a few nanoseconds and bytes; a file that asks for
    /// more is refused.
    std::uint64_t work = 1'000'000'000;
    /// The folder of the standard library: "std/fifo.yaml" is looked for there. Empty: none.
    std::string library;
    /// Whether `Design::printed` is wanted.
    bool print = false;
    /// Whether components and libraries are loaded, too: to be checked, as nothing feeds their
    /// ports.
    bool parts = false;
    /// Whether the second implementations of 'against' are loaded.
    bool against = false;
    /// Whether the slots of all buses say what was written (Graph::mark_writes).
    bool mark_writes = false;
    /// Whether processes count what happens in them; see expr/cover.hpp.
    bool cover = false;
    /// Ranges of so many steps and more become loops in programs; 0: all are unrolled. What a
    /// network does is the same.
    std::uint64_t loops_from = expr::Work::usual_loops_from;
    /// Is told of every file that is read, and may refuse it. Null: any file is read.
    FileAccess* files = nullptr;
    /// Is shown the network as it was written, when that had no errors; what it is shown lives only
    /// as long as the call.
    std::function<void(const expr::ScopeText& network, const Graph& graph)> describe = {};
};

/// Loads a network. Nothing when an error was found; all that can be said about the file has then
/// been added to the diagnostics. The graph has still to be analysed.
std::optional<Design> load(const std::string& path, const LoadOptions& options, const Kinds& kinds,
                           Diagnostics& diagnostics);

/// As above, with the text of the file already read. Data files are found beside its path.
std::optional<Design> load(const SourceRef& source, const LoadOptions& options, const Kinds& kinds,
                           Diagnostics& diagnostics);

} // namespace sme::yaml
