// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cli/loading.hpp"
#include "coverage/toggles.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// The coverage of a network by a run: lines and branches of its processes, bits and enumerations
/// of its buses and states. Call everything but `attach` and `state` after the run.
class CoverageReport {
public:
    explicit CoverageReport(const Loaded& loaded) : loaded_{loaded} {}

    /// Call before the first cycle.
    void attach(engine::Engine& engine) { engine.attach(toggles_); }

    /// Saves or restores all counts, for a checkpoint. Throws CheckpointError if the checkpoint
    /// belongs to another network.
    void state(Archive& archive);

    /// Lines and branches, in the format of lcov.
    std::string lcov() const;
    /// Everything, as JSON; see sim/cli/README.md.
    std::string json(std::uint64_t cycles) const;
    /// The source texts with counted lines, by path.
    std::map<std::string, std::string> sources() const;
    /// One line of the summary.
    std::string summary() const;

private:
    coverage::LineCoverage lines() const;

    const Loaded& loaded_;
    coverage::ToggleObserver toggles_;
};

/// One line: how many lines and branches ran, without those of the standard library.
std::string coverage_summary(const coverage::LineCoverage& lines);

} // namespace sme::cli
