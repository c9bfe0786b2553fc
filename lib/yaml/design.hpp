// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
#include "expr/typing/scope.hpp"
#include "network/graph.hpp"
#include "network/pair.hpp"
#include "network/picture/diagram.hpp"
#include "network/verilog.hpp"

namespace sme::yaml {

/// Factories for the groups that run the loaded network.
struct GroupFactories {
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Program>)>
        process;
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const InputRows>)> input;
    /// Empty: checks are not observed.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::CheckSet>)>
        checks;
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Recording>)>
        recording;
    VerilogModules* verilog = nullptr; // null: Verilog is refused
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::HaltCondition>)>
        halt = {};
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        deadlock = {};
    /// Observes the actors in each cycle. Empty: not observed.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        watch = {};
    bool watch_messages = false; // also observe every message
    /// Observes an expression of `LoadOptions::probes`, given its index there. Empty: probes are
    /// only validated.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Probe>,
                                                      std::size_t number)>
        probe = {};
    /// Observes a let selected by `LoadOptions::wants_let`, given the names of the process and the
    /// let.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::Probe>,
                                                      const std::string& name)>
        let = {};
};

/// An expression to evaluate in every cycle, in the scope of the network or of a process.
struct ProbeText {
    std::string text;
    std::optional<std::uint32_t> family = {}; // process family, as an index in the graph
    std::uint64_t instance = 0;               // index in that family, in source order
};

/// A channel as written.
struct ChannelLine {
    Location name;
    Location depth;       // location of the depth; if absent, the empty place to insert it
    bool given = false;   // the depth is written
    std::uint64_t places; // depth
};

/// A second implementation (`against`) outside the network.
struct SecondPlace {
    std::string process;          // full name of the first implementation; empty: the only process
    std::optional<Shape> members; // all its instances there; nullopt: `process` names one
    Location where;
    std::string file; // recording
    std::string scope, clock, reset;
};

/// A condition under `assume`.
struct Assumed {
    expr::AstRef condition;
    std::string text;
    Location where;
};

/// An input that is fed from outside the network: `inputs: {button: open}`.
struct OpenInput {
    std::string name;
    Location where;
};

/// Inputs with random values (`inputs: {x: random}`) of one clock domain. Their process has only
/// its output ports: what runs the network gives it its kind.
struct RandomInputs {
    /// A stream keeps an offered message until it is taken.
    struct Stream {
        std::uint64_t element;
        std::uint32_t valid; // offset of the field in the slot
        std::uint64_t ready; // element of the reverse field
        bool channel;        // it always offers a message: the end of messages ends a channel
    };
    std::size_t family; // in the graph
    std::uint32_t domain;
    std::vector<Stream> streams = {};
};

/// A test of a network; for a family of tests, one member.
struct TestCase {
    std::string name;                            // "burst[1]"
    std::uint64_t first_seed = 0, last_seed = 0; // one run for each
    bool has_random = false;                     // its own inputs have random values
};

/// A loaded network file: the graph and the settings of its run section.
struct Design {
    Graph graph;
    std::shared_ptr<const expr::CheckSet> checks; // null if there are no checks
    std::vector<std::shared_ptr<const expr::Recording>> recordings;
    std::optional<std::uint64_t> cycles; // from the run section
    std::string trace;                   // from the run section; relative to the working directory
    Location trace_where;                // location of the trace's name
    std::uint64_t clock_ps = 10'000;     // clock period in picoseconds
    bool ends_by_itself = false;         // an input or an output halts the run after a row
    bool may_halt = false;               // a process may halt the run
    bool has_random = false;             // a process has random values
    bool library = false;                // a file of names: it cannot be run
    std::vector<Pair> pairs;             // requested second implementations
    std::vector<SecondPlace> seconds;    // second implementations outside the network
    /// All lines read under `channels`, of the network and of components.
    std::vector<ChannelLine> channels;
    std::vector<Diagram> machines; // of processes with sequences, if `LoadOptions::draw_machines`
    std::vector<RandomInputs> random_inputs;
    std::vector<OpenInput> open_inputs;
    bool has_open_channel = false;     // an open input or the caller sends to a channel
    std::vector<TestCase> tests;       // all of them, in order
    std::vector<std::string> notes;    // for the user: choices that the loader made by itself
    std::uint64_t checks_left_out = 0; // in a run without a clock
    std::uint64_t sampled_inputs =
        0; // ports that read another clock domain: "crosses: {x: sampled}"
};

struct Context;
struct FileSyntax;

/// A network loaded without errors, as written, with its names resolved: for passes over its text.
/// Valid only during the call that receives it.
class SourceView {
public:
    SourceView(const FileSyntax& file, Context& context) : file_{file}, context_{context} {}

    /// Prints the network as one YAML file that loads to the same network from the working
    /// directory: normalised text, all its imports under `files`, parameters set to their values,
    /// unused declarations omitted. Printing the reloaded network gives the same bytes. Requires
    /// that second implementations that are components are loaded.
    std::string print() const;
    /// Describes the network without YAML, for exporters. Valid as long as this object.
    const expr::ModuleView& describe() const;
    /// Prints the bound design as JSON: scopes, buses, channels and processes, each with its place
    /// in the file; the steps and lets of processes as typed expressions, with ranges and known
    /// values. Requires `LoadOptions::keep_bound`. For tools; the manual of the command describes
    /// the keys.
    std::string design() const;
    /// Returns the conditions under `assume`.
    std::vector<Assumed> assumptions() const;
    const std::vector<RandomInputs>& random_inputs() const;
    /// Returns the requested second implementations.
    const std::vector<SecondPlace>& seconds() const;

private:
    const FileSyntax& file_;
    Context& context_;
};

/// Which second implementations (`against`) are loaded.
enum class Against : std::uint8_t { none, components, all };

struct LoadOptions {
    /// Parameter values, as in --set name=value.
    std::map<std::string, std::string> parameters;
    /// The cost limit for loading, in units of a few nanoseconds and bytes; a file that exceeds it
    /// is refused.
    std::uint64_t work = 1'000'000'000;
    /// Multiplies this limit, and those of the size of a file and of its nodes.
    std::uint64_t size = 1;
    /// The directory of the standard library, for imports like "std/fifo.yaml". Empty: no library.
    std::string library;
    /// Also load components and libraries, only to check them: their ports are not fed.
    bool parts = false;
    Against against = Against::none;
    /// Slots of all buses record whether they were written (Graph::mark_writes).
    bool mark_writes = false;
    /// Processes count their coverage; see expr/cover.hpp.
    bool cover = false;
    /// Ranges with at least this many steps become loops in programs; 0: all are unrolled. The
    /// behaviour of the network is the same, except for the values that a fault leaves: a loop can
    /// put a part into a later level, and later levels than that of the fault do not run.
    std::uint64_t loops_from = expr::Fuel::usual_loops_from;
    /// Keeps the bound processes (expr::Unit::bound), for exporters and `SourceView::design`.
    bool keep_bound = false;
    /// Draws the state machines of sequences (Design::machines).
    bool draw_machines = false;
    /// Processes unroll ranges of up to expr::Fuel::max_unrolled steps, for exporters; `work` then
    /// counts for more.
    bool unrolled = false;
    /// Replaces depths of channels, by the location of the channel's name. `nullopt`: as written.
    /// May be null.
    std::function<std::optional<std::uint64_t>(const Location& channel)> depth_of = {};
    /// Replaces the queues of all channels by queues that stall at random, with this seed: for some
    /// cycles, they accept or offer no message. Channels without places get one.
    std::optional<std::uint64_t> stalls = {};
    /// A value that a process samples from another clock domain (`crosses`) is, at random for each
    /// bit, the current value or the value at the previous edge.
    bool metastability = false;
    /// For a run without a clock: channels are buses with `BusFamily::places`, without queues, and
    /// actors have a `firing_state`. No process reads the outputs of another while that steps, so
    /// each process has one part and writes memories without buffering. Checks are left out, since
    /// they refer to cycles.
    bool untimed = false;
    /// Evaluated in addition to the checks; errors are reported at their location in the probe's
    /// text.
    std::vector<ProbeText> probes = {};
    /// Returns true if a let is to be observed, such as "core[2].alu.sum". May be null.
    std::function<bool(const std::string& name)> wants_let = {};
    /// Is notified of every file that is read, and may refuse it. Null: any file is read.
    FileAccess* files = nullptr;
    /// Receives a network without errors, before other passes change the graph. May be null.
    std::function<void(const SourceView& network, const Graph& graph)> look = {};
    /// Receives what is not needed after loading; null: it is freed, which takes a tenth of the
    /// time of loading.
    std::vector<std::shared_ptr<const void>>* leftovers = nullptr;
    /// With its checks and outputs.
    bool checks = true;
    /// The text of the network file, which is then not read.
    std::optional<std::string> text = {};
    /// Load the network as this test runs it: "burst[1]". Empty: as it is.
    std::string test = {};
    /// The folder of recorded outputs and of the trace that the network names. Empty: as they say.
    std::string outputs = {};
    /// Inputs that replace those of the network, as written in it: "button: random". Their files
    /// are relative to the current folder.
    std::vector<std::string> inputs = {};
    /// The caller sets open inputs. Otherwise they are zero: a bundle offers nothing.
    bool sets_open_inputs = false;
    /// Buses whose `inputs` are left out: the caller feeds them.
    std::vector<std::string> driven = {};
    bool drives(const std::string& bus) const {
        return std::find(driven.begin(), driven.end(), bus) != driven.end();
    }
};

/// Loads a network. `nullopt` after an error; the diagnostics then include all errors found in the
/// file. The graph has not yet been analysed.
std::optional<Design> load(const std::string& path, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics);

/// Loads a network from text that has been read already. Data files are found relative to its path.
std::optional<Design> load(const SourceRef& source, const LoadOptions& options,
                           const GroupFactories& kinds, Diagnostics& diagnostics);

} // namespace sme::yaml
