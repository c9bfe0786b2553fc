// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/file_access.hpp"
#include "cli/options.hpp"
#include "cli/reports/histories.hpp"
#include "cli/traced_lets.hpp"
#include "interpret/observers/waits.hpp"
#include "report/fills.hpp"
#include "session/loading.hpp"
#include "trace/collect/memories.hpp"

namespace sme::cli {

/// A network that is ready to be built, and where its observers leave what they find.
struct Loaded : session::Loaded, session::Observed {
    std::shared_ptr<interpret::WaitCounts> waits; // of actors; null: not counted
    std::shared_ptr<HistoryWatch> histories;      // of channels; null: not taken down
    std::shared_ptr<report::FillWatch> fills;     // of channels; null: not looked at
    std::shared_ptr<FileAccess> files;            // what it reads is noted in it
    trace::MemoryChoice memories;                 // that --trace-memory asks for
    std::shared_ptr<TracedLets> lets;             // that --trace-let asks for
    /// Is told of the file in which the trace grows, once its declarations are there.
    std::function<void(const std::string& growing)> on_trace;
    bool strict = false; // what was not reached fails
};

/// Memories and lets that are traced beside buses and states.
std::vector<trace::TracedWords> traced_words(const Loaded& loaded);

/// What came of loading: a network, or the exit code.
struct LoadResult {
    std::optional<Loaded> network;
    int exit_code = exit_code::fine;
    bool library = false; // a file of names, without an error: there is no network
};

/// Who looks on while a network is loaded.
struct LoadHooks {
    /// Is shown the network as it was written.
    std::function<void(const yaml::Written&, const Graph&)> look = {};
    /// Is given what was loaded before it is analysed.
    std::function<void(yaml::Design&, verilator::Modules&, Diagnostics&)> change = {};
    /// Depths of channels other than the written ones.
    std::function<std::optional<std::uint64_t>(const Location& channel)> depth_of = {};
    /// All channels stall at random, from this seed.
    std::optional<std::uint64_t> stalls = {};
    /// Watches actors, as yaml::GroupFactories::watch makes it; with `messages`, all channels.
    std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const expr::ActorNetwork>)>
        watch = {};
    bool messages = false;
    bool untimed = false; // it is to run without a clock; nothing is analysed
    bool checks = true;   // they are looked at in a run
    bool expected = true; // what outputs record is compared with what they expect
    bool quiet = false;   // warnings have been shown before
    bool silent = false;  // nothing is shown: a trial
};

/// Where built modules are kept. Without a cache of the user's own: a folder that is removed when
/// the command ends.
std::string modules_folder();

/// What the loader is asked for by the options; what is read is noted in `files`.
session::Settings load_settings(const Options& options, const std::shared_ptr<FileAccess>& files);

/// Loads and checks a network; prints what there is to say about it to standard error. For one that
/// is going to run, Verilog is built.
LoadResult load_network(const Options& options,
                        verilator::Modules::Purpose purpose = verilator::Modules::Purpose::look,
                        LoadHooks hooks = {});

/// The exit code of a network that was not loaded.
int load_failure(const Diagnostics& diagnostics);

/// How many cycles are asked for, by the command line or the network; more than there can be for a
/// network that ends by itself; nothing when nobody says.
std::optional<std::uint64_t> cycles_to_run(const Options& options, const session::Loaded& loaded);

} // namespace sme::cli
