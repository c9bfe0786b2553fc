// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/loading.hpp"
#include "cli/reports/run_reports.hpp"
#include "session/checkpoints.hpp"

namespace sme::cli {

/// The checkpoints of one run of the command. Complains of what goes wrong.
class RunCheckpoints {
public:
    /// Opens what `options` ask for and gives the run the seed that it had. False: it complained,
    /// and the exit code is that of wrong usage.
    bool open(Options& options);

    /// Before the engine is built.
    void prepare(const Loaded& loaded) const;
    /// Before the first cycle: an exit code when the run cannot go on, or cannot be saved.
    int begin(const Options& options, engine::Engine& engine, const Loaded& loaded,
              CoverageReport* coverage, std::uint64_t cycles);

    bool resumes() const { return resumed_.has_value(); }
    /// The first cycle that runs.
    std::uint64_t first_cycle() const { return resumed_ ? resumed_->cycle() : 0; }
    /// Null: the run is not saved.
    session::Checkpoints* saves() { return saves_ ? &*saves_ : nullptr; }

    std::string summary(const Options& options) const;
    /// Why it could not be saved the last time; empty: it could.
    std::string problem() const { return saves_ ? saves_->problem() : std::string{}; }

private:
    int go_on(engine::Engine& engine, const Loaded& loaded, const session::MoreState& more) const;

    std::optional<session::Resumption> resumed_;
    std::optional<session::Checkpoints> saves_;
};

} // namespace sme::cli
