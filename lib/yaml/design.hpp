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

/// The factories of the groups that run what the loader describes.
struct GroupFactories {
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Program>)>
        process;
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const InputRows>)> input;
    /// None: nobody looks at the checks.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::CheckSet>)>
        checks;
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Recording>)>
        recording;
    VerilogModules* verilog = nullptr; // none: a network with Verilog is refused
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::HaltCondition>)>
        halt = {};
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        deadlock = {};
    /// An observer of what actors do in each cycle. None: nobody looks.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        watch = {};
    bool watch_messages = false; // it looks at every message, too
    /// An observer of an expression in `LoadOptions::probes`, by its place there. None: they are
    /// only checked.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Probe>,
                                                      std::size_t number)>
        probe = {};
    /// An observer of a let that `LoadOptions::wants_let` asked for, by the name of the process and
    /// its own.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Probe>,
                                                      const std::string& name)>
        let = {};
};

/// An expression to be evaluated in every cycle, in the scope of the network or of a process.
struct ProbeText {
    std::string text;
    std::optional<std::uint32_t> family = {}; // of processes, by its place in the graph
    std::uint64_t instance = 0;               // of that family, in source order
};

/// A channel as it was written.
struct ChannelLine {
    Location name;
    Location depth;       // the number; of a channel without one: an empty place where it may stand
    bool given = false;   // there is one
    std::uint64_t places; // its depth
};

/// A second implementation (`against`) that is no part of the network.
struct SecondPlace {
    std::string process; // of the first, as it is called in the whole network; empty: the only one
    std::optional<Shape> members; // of all its instances there; nothing: `process` names one
    Location where;
    std::string file; // in which it was recorded
    std::string scope, clock, reset;
};

/// A condition under `assume`.
struct Assumed {
    expr::AstRef condition;
    std::string text;
    Location where;
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
    std::vector<Pair> pairs;             // of second implementations that were asked for
    std::vector<SecondPlace> seconds;    // those that are no part of it
    /// Every line under `channels` that was read, of the network and of components.
    std::vector<ChannelLine> channels;
    std::vector<std::string> notes;    // for the user, of what the loader took without being told
    std::uint64_t checks_left_out = 0; // of a run without a clock
    std::uint64_t sampled_inputs =
        0; // ports that read another clock domain, "crosses: {x: sampled}"
};

struct Context;
struct FileSyntax;

/// A network without an error as it was written, with what its names mean: for passes over its
/// text. Lives as long as the call that is given one.
class Written {
public:
    Written(const FileSyntax& file, Context& context) : file_{file}, context_{context} {}

    /// The network as one YAML file that loads to the same network when it stands in the working
    /// folder: its text normalised, all that it imports under `files`, parameters with the values
    /// they have, what nothing uses left out. Printing what was loaded from it gives the same
    /// bytes. Second implementations that are components must have been loaded.
    std::string print() const;
    /// The network without YAML, for exporters. Valid as long as this.
    expr::ModuleView describe() const;
    /// What `assume` says of inputs.
    std::vector<Assumed> assumptions() const;
    /// Those that were asked for.
    const std::vector<SecondPlace>& seconds() const;

private:
    const FileSyntax& file_;
    Context& context_;
};

/// Which second implementations (`against`) are loaded.
enum class Against : std::uint8_t { none, components, all };

struct LoadOptions {
    /// Values for parameters, as in --set name=value.
    std::map<std::string, std::string> parameters;
    /// How much loading may cost, in units of a few nanoseconds and bytes; a file that asks for
    /// more is refused.
    std::uint64_t work = 1'000'000'000;
    /// The folder of the standard library: "std/fifo.yaml" is looked for there. Empty: none.
    std::string library;
    /// Whether components and libraries are loaded, too: to be checked, as nothing feeds their
    /// ports.
    bool parts = false;
    Against against = Against::none;
    /// Whether the slots of all buses say what was written (Graph::mark_writes).
    bool mark_writes = false;
    /// Whether processes count what happens in them; see expr/cover.hpp.
    bool cover = false;
    /// Ranges of so many steps and more become loops in programs; 0: all are unrolled. What a
    /// network does is the same.
    std::uint64_t loops_from = expr::Fuel::usual_loops_from;
    /// Depths for channels instead of the written ones, by the place of the channel's name.
    /// Nothing: as it is written. May be null.
    std::function<std::optional<std::uint64_t>(const Location& channel)> depth_of = {};
    /// Queues that stall at random, from this seed, in the place of those of all channels: they
    /// take no message, or offer none, for some cycles. Channels without places get one.
    std::optional<std::uint64_t> stalls = {};
    /// What a process samples from another clock domain (`crosses`) is at random, bit by bit, what
    /// is there or what was there at the edge before.
    bool metastability = false;
    /// For a run without a clock: channels are buses with `BusFamily::places`, without queues, and
    /// actors have a `firing_state`. Nobody reads what a process writes while it steps, so it has
    /// one part, and no write of a memory waits. Checks are left out, as they look at cycles.
    bool untimed = false;
    /// Looked at beside the checks; what is wrong in one is reported with the place in its text.
    std::vector<ProbeText> probes = {};
    /// Whether the value of a let is observed, "core[2].alu.sum". May be null.
    std::function<bool(const std::string& name)> wants_let = {};
    /// Is told of every file that is read, and may refuse it. Null: any file is read.
    FileAccess* files = nullptr;
    /// Is shown a network without an error, before the graph is changed by others. May be null.
    std::function<void(const Written& network, const Graph& graph)> look = {};
};

/// Loads a network. Nothing when an error was found; all that can be said about the file has then
/// been added to the diagnostics. The graph has still to be analysed.
std::optional<Design> load(const std::string& path, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics);

/// As above, with the text of the file already read. Data files are found beside its path.
std::optional<Design> load(const SourceRef& source, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics);

} // namespace sme::yaml
