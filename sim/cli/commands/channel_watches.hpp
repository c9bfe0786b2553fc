// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"

namespace sme::cli {

/// Observes the channels of a run, for --stats, --histories and --report.
class ChannelWatches {
public:
    explicit ChannelWatches(const Options& options);

    /// What the loader needs for them.
    LoadSettings settings() const;
    /// Hands the observers over to the run. Returns `fine`, or the exit code if an observer has
    /// nothing to observe, after reporting that.
    int give(Loaded& loaded) const;

private:
    std::shared_ptr<interpret::WaitCounts> waits_; // each of these is null unless requested
    std::shared_ptr<HistoryWatch> histories_;
    std::shared_ptr<report::OccupancyWatch> occupancy_;
};

} // namespace sme::cli
