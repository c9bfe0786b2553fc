// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "checkpoint/checkpoint.hpp"
#include "cli/loading.hpp"
#include "cli/reports/run_reports.hpp"
#include "engine/engine.hpp"

namespace sme::cli {

/// Lets a run go on where another one was saved, and saves it every so many cycles. Complains of
/// what goes wrong.
class Checkpoints {
public:
    /// Opens what `options` ask for and gives the run the seed that it had. False: it complained,
    /// and the exit code is that of wrong usage.
    bool open(Options& options);

    /// Before the engine is built.
    void prepare(const Loaded& loaded) const;
    /// Before the first cycle: an exit code when the run cannot go on, or cannot be saved.
    int begin(engine::Engine& engine, const Loaded& loaded, CoverageReport* coverage,
              std::uint64_t cycles);

    bool resumes() const { return resumed_ != nullptr; }
    /// The first cycle that runs.
    std::uint64_t first_cycle() const { return first_; }
    /// How many cycles may run before `after` is to be called.
    std::uint64_t until_next(std::uint64_t cycle) const {
        return every_ == 0 ? ~std::uint64_t{0} : every_ - cycle % every_;
    }
    /// Saves the run when it is time, or when it was interrupted.
    void after(engine::Engine& engine, CoverageReport* coverage);

    std::string summary() const;
    /// Why it could not be saved the last time; empty: it could.
    const std::string& problem() const { return problem_; }

private:
    void save(engine::Engine& engine, CoverageReport* coverage);

    std::unique_ptr<const checkpoint::Reader> resumed_;
    std::uint64_t first_ = 0;
    std::uint64_t every_ = 0; // cycles; 0: never
    std::string path_;
    std::optional<checkpoint::Writer> next_; // holds the file, so that no other run saves there
    std::uint64_t saved_ = 0;                // the cycle of the last checkpoint; 0: there is none
    std::string problem_;
};

} // namespace sme::cli
