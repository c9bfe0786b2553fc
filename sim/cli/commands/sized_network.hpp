// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/runs.hpp"
#include "cli/options.hpp"
#include "sizing/recorder.hpp"
#include "sizing/search.hpp"

namespace sme::cli {

/// A line under `channels`, as 'sme fifos' handles it.
struct SizedChannel {
    std::string name;
    yaml::ChannelLine line;
    std::uint64_t bits = 0; // of one place, summed over the channels that the line declares
};

/// A network that runs with other channel depths than it declares. Each set of depths that the
/// history of the first run does not cover is loaded and run again.
class SizedNetwork {
public:
    explicit SizedNetwork(const Options& options) : options_{options} {}

    /// Runs the network with the declared depths, and with deeper channels if that deadlocks.
    /// Returns `fine`, or the exit code after reporting why there is nothing to size.
    int begin();

    const std::string& name() const { return name_; }
    /// The files that the network reads.
    FileAccess& files() const { return *files_; }
    const std::vector<SizedChannel>& channels() const { return channels_; }
    /// The declared depths.
    sizing::Depths written() const;
    /// Depths that are deep enough: no other depths take fewer cycles.
    const sizing::Depths& enough() const { return enough_; }
    /// Returns the outcome with these depths, computed from the history or by a run.
    sizing::Outcome evaluate(const sizing::Depths& depths);
    /// `fine`, or the exit code of a run with some depths that failed.
    int failed() const { return failed_; }
    /// The number of cycles of a run with these depths; `nullopt` if it did not reach its end.
    std::optional<std::uint64_t> run_again(const sizing::Depths& depths);

    /// The history of the first run, from which outcomes are computed; null if each outcome needs a
    /// run.
    const sizing::History* history() const { return history_.get(); }
    /// The slowness in the last evaluation; only with a history.
    sizing::Slowness slowness() const { return schedule_->slowness(); }
    /// Why there is no history.
    const std::string& why_runs() const { return why_runs_; }
    /// True if the network ends by itself. Otherwise a cycle count is the time at which it has put
    /// out as much as the first run.
    bool ends() const { return ends_; }

private:
    struct Run {
        QuietRun quiet;
        std::shared_ptr<const expr::ActorNetwork> actors;
        std::shared_ptr<sizing::Recorder> recorder;
    };

    Run run(const sizing::Depths& depths, bool records);
    void take_channels(const Loaded& loaded);
    std::optional<std::uint64_t> depth_at(const sizing::Depths& depths, const Location& at) const;
    std::size_t number_at(const Location& at) const;
    std::string reason_to_run(const Run& first) const;
    int take_history(const Run& first);
    int find_enough_by_runs(sizing::Depths depths, std::uint64_t cycles);

    Options options_;
    std::string name_;
    std::shared_ptr<FileAccess> files_;
    std::vector<SizedChannel> channels_;
    std::unique_ptr<sizing::History> history_;
    std::unique_ptr<sizing::Schedule> schedule_;
    std::vector<std::size_t> numbers_; // index in `channels_` for each channel of the history
    sizing::Depths enough_;
    std::string why_runs_;
    std::uint64_t limit_ = 0; // cycles of a run with other depths; 0: as requested
    std::uint64_t after_ = 0; // cycles between the last step of the history and the end of the run
    int failed_ = exit_code::fine;
    bool ends_ = false;
    bool loaded_before_ = false;
};

/// Writes the Pareto front of cycles against bits as a table (.csv) or a plot (.svg). Returns the
/// exit code.
int write_front(const std::string& path, const SizedNetwork& network,
                const std::vector<sizing::Search::Point>& front);

/// Writes a patch that gives the channels in the network's files these depths. Returns the exit
/// code.
int write_patch(const std::string& path, const SizedNetwork& network, const sizing::Depths& depths);

} // namespace sme::cli
