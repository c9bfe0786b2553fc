// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "engine/cycle/state.hpp"
#include "engine/engine.hpp"

namespace sme::session {

/// What a checkpoint holds beside the engine, under a key of its own.
struct MoreState {
    std::string key; // "coverage"; empty: nothing
    std::function<void(Archive&)> state = {};
};

/// A checkpoint that a run goes on from. Every member throws CheckpointError when the file does not
/// fit the run.
class Resumption {
public:
    explicit Resumption(const std::string& path)
        : reader_{path}, run_{engine::saved_run(reader_)} {}

    const std::string& path() const { return reader_.path(); }
    /// The first cycle that runs.
    std::uint64_t cycle() const { return run_.cycle; }
    std::uint64_t seed() const { return run_.seed; }
    /// Whether what it was saved from was marked so.
    bool is_marked(const std::string& mark) const { return reader_.find(mark) != nullptr; }
    [[noreturn]] void fail(const std::string& why) const { reader_.fail(why); }

    /// Before the first cycle, with an engine of that seed. Returns what begins anew in this cycle.
    std::vector<std::string> restore(engine::Engine& engine, const MoreState& more) const;

private:
    checkpoint::Reader reader_;
    engine::SavedRun run_;
};

/// Saves a run every so many cycles in one file, which no other run can save in meanwhile.
class Checkpoints {
public:
    /// `every`: cycles; 0: never. Throws CheckpointError when the file cannot be written. `note`
    /// takes why a run that goes on is not saved; may be null.
    Checkpoints(std::uint64_t every, std::string path, MoreState more,
                std::function<void(const std::string& text)> note);

    /// What is saved says that it is of a run of this kind, as `Resumption::is_marked` tells.
    void mark(std::string mark) { marks_.push_back(std::move(mark)); }
    /// How many cycles may run before `after` is to be called.
    std::uint64_t until_next(std::uint64_t cycle) const {
        return every_ == 0 ? ~std::uint64_t{0} : every_ - cycle % every_;
    }
    /// Saves the run when it is time, or when it was interrupted. Between cycles. A run that cannot
    /// be saved goes on, as the next time may be better.
    void after(engine::Engine& engine);

    /// The cycle of the last checkpoint; 0: there is none.
    std::uint64_t saved() const { return saved_; }
    /// Why the run could not be saved the last time; empty: it could.
    const std::string& problem() const { return problem_; }

private:
    std::uint64_t every_;
    std::string path_;
    MoreState more_;
    std::vector<std::string> marks_;
    std::function<void(const std::string&)> note_;
    std::optional<OutputFile> claim_; // keeps other runs from the file, between checkpoints too
    std::uint64_t saved_ = 0;
    std::string problem_;
};

} // namespace sme::session
