// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/run_files.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/findings.hpp"

namespace sme::cli {

namespace {

constexpr const char* metastable = "metastable inputs"; // a marker in the checkpoint

} // namespace

bool RunCheckpoints::open(Options& options) {
    if (options.resume.empty())
        return true;
    try {
        resumed_.emplace(options.resume);
        if (options.seed_given && options.run.seed != resumed_->seed())
            resumed_->fail(fmt::format("its run has seed {}; leave --seed out", resumed_->seed()));
        if (options.metastability && !resumed_->is_marked(metastable))
            resumed_->fail("its run has no metastable inputs; leave --metastability out");
        if (!options.metastability && resumed_->is_marked(metastable))
            resumed_->fail(fmt::format("its run has metastable inputs; give --metastability {}",
                                       resumed_->seed()));
        if (options.metastability && options.run.seed != resumed_->seed())
            resumed_->fail(
                fmt::format("its run has seed {0}; give --metastability {0}", resumed_->seed()));
        options.run.seed = resumed_->seed();
    } catch (const CheckpointError& error) {
        report_error(Code::bad_checkpoint, error.what());
        return false;
    }
    return true;
}

void RunCheckpoints::prepare(const Loaded& loaded) const {
    for (const auto& recording : loaded.recordings)
        if (resumes())
            recording->continue_earlier();
}

int RunCheckpoints::begin(const Options& options, engine::Engine& engine, const Loaded& loaded,
                          CoverageReport* coverage, std::uint64_t cycles) {
    if (options.checkpoint_every == 0 && !resumes())
        return exit_code::fine;
    if (const std::vector<std::string> reasons = engine.unsaved(); !reasons.empty()) {
        for (const std::string& reason : reasons)
            report_error(Code::not_saved, "there are no checkpoints of this network: " + reason);
        return exit_code::usage;
    }
    session::MoreState more;
    if (coverage)
        more = {"coverage", [coverage](Archive& archive) { coverage->state(archive); }};
    if (options.checkpoint_every > 0)
        try {
            saves_.emplace(options.checkpoint_every, options.checkpoint, more, print_note);
            if (options.metastability)
                saves_->mark(metastable);
        } catch (const CheckpointError& error) {
            report_error(Code::file_unwritable, error.what());
            return exit_code::file;
        }
    if (!resumes())
        return exit_code::fine;
    if (first_cycle() < cycles)
        return go_on(engine, loaded, more);
    report_error(
        Code::bad_cycles,
        fmt::format("the checkpoint goes on with cycle {}, but the run ends after {}; give "
                    "--cycles a larger number",
                    first_cycle(), cycles));
    return exit_code::usage;
}

int RunCheckpoints::go_on(engine::Engine& engine, const Loaded& loaded,
                          const session::MoreState& more) const {
    try {
        for (const std::string& what : resumed_->restore(engine, more))
            print_note(fmt::format("begun anew in cycle {}: {}", first_cycle(), what));
    } catch (const CheckpointError& error) {
        report_error(Code::bad_checkpoint, error.what());
        return exit_code::usage;
    }
    for (const auto& recording : loaded.recordings)
        if (recording->start(); !recording->problem().empty()) {
            report_error(Code::file_unwritable, recording->problem());
            return exit_code::file;
        }
    return exit_code::fine;
}

int RunCheckpoints::follow(engine::Engine& engine) const {
    try {
        if (resumes())
            resumed_->restore(engine, {});
    } catch (const CheckpointError& error) {
        report_error(Code::bad_checkpoint, error.what());
        return exit_code::usage;
    }
    return exit_code::fine;
}

std::string RunCheckpoints::summary(const Options& options) const {
    std::string text;
    if (resumes())
        text +=
            fmt::format("  resumed      {}: from cycle {} on\n", resumed_->path(), first_cycle());
    if (saves_ && saves_->saved() > 0)
        text += fmt::format("  saved        {}: after {} cycles\n", options.checkpoint,
                            saves_->saved());
    return text;
}

} // namespace sme::cli
