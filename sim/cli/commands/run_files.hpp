// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/reports/run_reports.hpp"
#include "engine/engine.hpp"
#include "session/checkpoints.hpp"
#include "trace/tracer.hpp"

namespace sme::cli {

/// The trace of a run, if requested.
class RunTrace {
public:
    /// Opens the requested file `path` and attaches the tracer; an empty path: no trace. Returns
    /// `fine`, or the exit code after reporting the error.
    int open(const Options& options, const Loaded& loaded, engine::Engine& engine,
             const std::string& path);
    /// Null if there is no trace.
    trace::Tracer* tracer() const { return tracer_.get(); }
    /// The line of the summary about --keep-last.
    std::string kept_line(const Options& options, const engine::Engine& engine) const;

private:
    std::unique_ptr<trace::Tracer> tracer_;
    std::string path_;
};

/// The checkpoints of one run of the command. Reports errors.
class RunCheckpoints {
public:
    /// Opens the requested files and restores the seed of the resumed run. Returns false after
    /// reporting an error; the exit code is that of wrong usage.
    bool open(Options& options);

    /// Call before the engine is built.
    void prepare(const Loaded& loaded) const;
    /// Call before the first cycle. Returns an exit code if the run cannot resume or cannot be
    /// saved.
    int begin(const Options& options, engine::Engine& engine, const Loaded& loaded,
              CoverageReport* coverage, std::uint64_t cycles);

    /// On other ranks than 0, after the engine was built: resumes. Returns an exit code.
    int follow(engine::Engine& engine) const;

    bool resumes() const { return resumed_.has_value(); }
    /// The checksum of the resumed checkpoint; 0 without one.
    std::uint64_t checksum() const { return resumed_ ? resumed_->checksum() : 0; }
    /// The first cycle to run.
    std::uint64_t first_cycle() const { return resumed_ ? resumed_->cycle() : 0; }
    /// Null if the run is not saved.
    session::Checkpoints* saves() { return saves_ ? &*saves_ : nullptr; }

    std::string summary(const Options& options) const;
    /// Why the last save failed; empty if it succeeded.
    std::string problem() const { return saves_ ? saves_->problem() : std::string{}; }

private:
    int go_on(engine::Engine& engine, const Loaded& loaded, const session::MoreState& more) const;

    std::optional<session::Resumption> resumed_;
    std::optional<session::Checkpoints> saves_;
};

} // namespace sme::cli
