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

/// The options of loading a network for a command, beside those that the user gave.
struct LoadSettings : session::LoadSettings {
    /// Creates an observer of actors, for yaml::GroupFactories::watch; with `messages`, of all
    /// channels.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        watch = {};
    bool messages = false;
    bool evaluates_checks = true;     // during the run
    bool compares_outputs = true;     // recorded outputs with expected ones
    bool quiet = false;               // warnings have already been shown
    bool silent = false;              // a trial: show nothing
    bool loads_again = false;         // after errors, which are not shown
    const Transport* ranks = nullptr; // null: this is the only one; rank 0 writes all outputs

    /// Keeps what an exporter needs, with loops unrolled.
    void keep_for_export() { keep_bound = unrolled = true; }
};

/// The folder of built modules. Without a user cache: a folder that is removed when the command
/// ends.
std::string modules_folder();

/// Adds what the options of the command imply; `files` records the files read. `savable`: the state
/// of Verilog modules may be saved.
void add_options(const Options& options, const std::shared_ptr<FileAccess>& files,
                 VerilogModules::Purpose purpose, session::LoadSettings& settings,
                 bool savable = false);

/// Loads and checks a network; prints diagnostics to standard error. Builds the Verilog of a
/// network that is going to run.
LoadResult load_network(const Options& options,
                        VerilogModules::Purpose purpose = VerilogModules::Purpose::look,
                        LoadSettings settings = {});

/// The exit code for a network that failed to load.
int load_failure(const Diagnostics& diagnostics);

/// The number of cycles that the command line or the network requests; practically unlimited for a
/// network that ends by itself; `nullopt` if unspecified.
std::optional<std::uint64_t> cycles_to_run(const Options& options, const session::Loaded& loaded);

} // namespace sme::cli
