// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cli/loading.hpp"
#include "coverage/lcov.hpp"
#include "coverage/toggles.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// What a run has tried of a network: lines and branches of its processes, bits and enumerations of
/// its buses and states. Everything but `attach` is for when the run has ended.
class CoverageReport {
public:
    explicit CoverageReport(const Loaded& loaded) : loaded_{loaded} {}

    /// Before the first cycle.
    void attach(engine::Engine& engine) { engine.attach(toggles_); }

    /// All that was counted so far, for a checkpoint. Throws CheckpointError when it is of others.
    void state(Archive& archive);

    /// Lines and branches, as lcov reads them.
    std::string lcov() const;
    /// All of it; see sim/cli/README.md.
    std::string json(const engine::Engine& engine) const;
    /// The texts of the files whose lines are counted, by their paths.
    std::map<std::string, std::string> sources() const;
    /// One line of the summary.
    std::string summary() const;

private:
    coverage::LineCoverage lines() const;

    const Loaded& loaded_;
    coverage::ToggleObserver toggles_;
};

} // namespace sme::cli
