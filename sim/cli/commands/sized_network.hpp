// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/quiet_run.hpp"
#include "sizing/recorder.hpp"
#include "sizing/search.hpp"

namespace sme::cli {

/// A line under `channels`, as 'sme fifos' sees it.
struct SizedChannel {
    std::string name;
    yaml::ChannelLine line;
    std::uint64_t bits = 0; // of a place in each channel that the line declares
};

/// A network whose channels have other depths than it says. It is loaded and run again with each
/// set of depths that is not computed from the history of its first run.
class SizedNetwork {
public:
    explicit SizedNetwork(const Options& options) : options_{options} {}

    /// Runs the network as it is written; with deeper channels when that is a deadlock. The exit
    /// code, when there is nothing to size: what is wrong has been said.
    int begin();

    const std::string& name() const { return name_; }
    /// Knows what the network reads.
    FileAccess& files() const { return *files_; }
    const std::vector<SizedChannel>& channels() const { return channels_; }
    /// As written.
    sizing::Depths written() const;
    /// Deep enough: no depths take fewer cycles.
    const sizing::Depths& enough() const { return enough_; }
    /// What it takes with these depths, computed or run.
    sizing::Outcome evaluate(const sizing::Depths& depths);
    /// Why the network could not be run with some depths: the exit code, or fine.
    int failed() const { return failed_; }
    /// The cycles of a run with these depths; nothing: it did not come to its end.
    std::optional<std::uint64_t> run_again(const sizing::Depths& depths);

    /// The history of the first run, from which outcomes are computed; null: the network is run.
    const sizing::History* history() const { return history_.get(); }
    /// Of the last evaluation; only with a history.
    sizing::Slowness slowness() const { return schedule_->slowness(); }
    /// Why it has no history.
    const std::string& why_runs() const { return why_runs_; }
    /// The network ends by itself; else cycles are those after which as much came out of it as in
    /// the first run.
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
    std::vector<std::size_t> numbers_; // of the history's declarations, in `channels_`
    sizing::Depths enough_;
    std::string why_runs_;
    std::uint64_t limit_ = 0; // cycles of a run with other depths; 0: as many as it is asked for
    std::uint64_t after_ = 0; // cycles between the last step of a history and the end of a run
    int failed_ = exit_code::fine;
    bool ends_ = false;
    bool loaded_before_ = false;
};

} // namespace sme::cli
