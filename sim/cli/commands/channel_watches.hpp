// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/loading.hpp"

namespace sme::cli {

/// What looks at the channels of a run: for --stats, --histories and --report.
class ChannelWatches {
public:
    explicit ChannelWatches(const Options& options);

    /// What they need while the network is loaded.
    LoadHooks hooks() const;
    /// Leaves them where the run finds them. The exit code when one finds nothing to look at, which
    /// has been said; or fine.
    int give(Loaded& loaded) const;

private:
    std::shared_ptr<interpret::WaitCounts> waits_; // null: not asked for, as all of these
    std::shared_ptr<HistoryWatch> histories_;
    std::shared_ptr<report::FillWatch> fills_;
};

} // namespace sme::cli
