// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/file_access.hpp"
#include "cli/histories.hpp"
#include "cli/options.hpp"
#include "cli/traced_names.hpp"
#include "interpret/observers/actor_observers.hpp"
#include "report/occupancy.hpp"
#include "runtime/transport.hpp"
#include "session/loading.hpp"
#include "trace/collect/memories.hpp"

namespace sme::cli {

/// A network ready to be built, with the results of its observers.
struct Loaded : session::Loaded, session::Observed {
    std::shared_ptr<interpret::WaitCounts> waits;      // of actors; null: not counted
    std::shared_ptr<HistoryWatch> histories;           // of channels; null: not recorded
    std::shared_ptr<report::OccupancyWatch> occupancy; // of channels; null: not observed
    std::shared_ptr<FileAccess> files;                 // records the files that it reads
    trace::MemoryChoice memories;                      // from --trace-memory
    std::shared_ptr<TracedLets> lets;                  // from --trace-let
    /// Called with the path of the growing trace, once its declarations are written.
    std::function<void(const std::string& growing)> on_trace;
    bool strict = false;                        // checks and outputs that were not reached fail
    std::vector<trace::TracedWords> page_words; // those of --report, besides lets
};

/// Memories and lets that are traced in addition to buses and states.
std::vector<trace::TracedWords> traced_words(const Loaded& loaded);

/// The result of loading: a network, or the exit code.
struct LoadResult {
    std::optional<Loaded> network;
    int exit_code = exit_code::fine;
    std::string problem;  // the errors, as shown
    bool library = false; // no error, but the file only defines names: there is no network
};

/// Hooks into the loading of a network.
struct LoadHooks {
    /// Called with the network as written.
    std::function<void(const yaml::SourceView&, const Graph&)> look = {};
    /// Called with the loaded design, before its analysis.
    std::function<void(yaml::Design&, verilator::Modules&, Diagnostics&)> change = {};
    /// Overrides the depths of channels.
    std::function<std::optional<std::uint64_t>(const Location& channel)> depth_of = {};
    /// Seed of random stalls in all channels.
    std::optional<std::uint64_t> stalls = {};
    /// Creates an observer of actors, for yaml::GroupFactories::watch; with `messages`, of all
    /// channels.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        watch = {};
    bool messages = false;
    /// Receives what decides the values of a run. May be null.
    session::RunDigest* digest = nullptr;
    bool exports = false;             // keep what an exporter needs, with loops unrolled
    bool keeps_loops = false;         // unroll no range that can be a loop
    bool untimed = false;             // the network runs without a clock; skips the analysis
    bool analysed = true;             // report what is wrong with the graph as a whole
    bool checks = true;               // evaluate checks during the run
    bool expected = true;             // compare recorded outputs with expected ones
    bool quiet = false;               // warnings have already been shown
    bool silent = false;              // a trial: show nothing
    const Transport* ranks = nullptr; // null: this is the only one; rank 0 writes all outputs
};

/// The folder of built modules. Without a user cache: a folder that is removed when the command
/// ends.
std::string modules_folder();

/// The loader settings that the options imply; `files` records the files read.
session::Settings load_settings(const Options& options, const std::shared_ptr<FileAccess>& files);

/// Loads and checks a network; prints diagnostics to standard error. Builds the Verilog of a
/// network that is going to run.
LoadResult load_network(const Options& options,
                        verilator::Modules::Purpose purpose = verilator::Modules::Purpose::look,
                        LoadHooks hooks = {});

/// The exit code for a network that failed to load.
int load_failure(const Diagnostics& diagnostics);

/// The number of cycles that the command line or the network requests; practically unlimited for a
/// network that ends by itself; `nullopt` if unspecified.
std::optional<std::uint64_t> cycles_to_run(const Options& options, const session::Loaded& loaded);

} // namespace sme::cli
