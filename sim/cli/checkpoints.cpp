// SPDX-License-Identifier: Apache-2.0
#include "cli/checkpoints.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

namespace {
constexpr const char* coverage_key = "coverage";
}

bool Checkpoints::open(Options& options) {
    every_ = options.checkpoint_every;
    path_ = options.checkpoint;
    if (options.resume.empty())
        return true;
    try {
        resumed_ = std::make_unique<checkpoint::Reader>(options.resume);
        const engine::SavedRun run = engine::saved_run(*resumed_);
        first_ = run.cycle;
        if (options.seed_given && options.run.seed != run.seed)
            resumed_->fail(fmt::format("its run has seed {}; leave --seed out", run.seed));
        options.run.seed = run.seed;
    } catch (const CheckpointError& error) {
        complain(Code::bad_checkpoint, error.what());
        return false;
    }
    return true;
}

void Checkpoints::prepare(const Loaded& loaded) const {
    for (const auto& recording : loaded.recordings)
        if (resumes())
            recording->continue_earlier();
}

int Checkpoints::begin(engine::Engine& engine, const Loaded& loaded, CoverageReport* coverage,
                       std::uint64_t cycles) {
    if (every_ > 0 || resumes())
        if (const std::vector<std::string> reasons = engine.unsaved(); !reasons.empty()) {
            for (const std::string& reason : reasons)
                complain(Code::not_saved, "there are no checkpoints of this network: " + reason);
            return exit_code::usage;
        }
    if (every_ > 0)
        try {
            next_.emplace(path_);
        } catch (const CheckpointError& error) {
            complain(Code::file_unwritable, error.what());
            return exit_code::file;
        }
    if (!resumes())
        return exit_code::fine;
    if (first_ >= cycles) {
        complain(Code::bad_cycles,
                 fmt::format("the checkpoint goes on with cycle {}, but the run ends after {}; "
                             "give --cycles a larger number",
                             first_, cycles));
        return exit_code::usage;
    }
    try {
        std::vector<std::string> anew = engine.load(*resumed_);
        if (coverage && !resumed_->find(coverage_key))
            anew.emplace_back("it holds no coverage");
        else if (coverage)
            try {
                resumed_->restore(coverage_key,
                                  [&](Archive& archive) { coverage->state(archive); });
            } catch (const CheckpointError& error) {
                anew.emplace_back(error.what());
            }
        for (const std::string& what : anew)
            fmt::print(stderr, "note: begun anew in cycle {}: {}\n", first_, shown_text(what));
        for (const auto& recording : loaded.recordings)
            if (recording->start(); !recording->problem().empty()) {
                complain(Code::file_unwritable, recording->problem());
                return exit_code::file;
            }
    } catch (const CheckpointError& error) {
        complain(Code::bad_checkpoint, error.what());
        return exit_code::usage;
    }
    return exit_code::fine;
}

void Checkpoints::after(engine::Engine& engine, CoverageReport* coverage) {
    if (every_ == 0 || engine.cycle() == saved_)
        return;
    const engine::Ending ending = engine.ending();
    if (ending == engine::Ending::interrupted ||
        (ending == engine::Ending::completed && engine.cycle() % every_ == 0))
        save(engine, coverage);
}

/// A run goes on when it cannot be saved: the next time may be better.
void Checkpoints::save(engine::Engine& engine, CoverageReport* coverage) {
    try {
        if (!next_)
            next_.emplace(path_);
        engine.save(*next_);
        if (coverage)
            next_->record(coverage_key, "", [&](Archive& archive) { coverage->state(archive); });
        next_->commit();
        saved_ = engine.cycle();
        problem_.clear();
        next_.reset();
        next_.emplace(path_);
    } catch (const CheckpointError& error) {
        if (problem_.empty())
            fmt::print(stderr, "note: the run goes on, but is not saved in cycle {}: {}\n",
                       engine.cycle(), shown_text(error.what()));
        problem_ = error.what();
        next_.reset();
    }
}

std::string Checkpoints::summary() const {
    std::string text;
    if (resumes())
        text += fmt::format("  resumed      {}: from cycle {} on\n", resumed_->path(), first_);
    if (saved_ > 0)
        text += fmt::format("  saved        {}: after {} cycles\n", path_, saved_);
    return text;
}

} // namespace sme::cli
