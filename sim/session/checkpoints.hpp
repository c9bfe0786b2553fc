// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "engine/engine.hpp"
#include "engine/slots/state.hpp"

namespace sme::session {

/// State in a checkpoint in addition to the engine's, under its own key.
struct MoreState {
    std::string key; // "coverage"; empty: no state
    std::function<void(Archive&)> state = {};
};

/// A checkpoint that a run resumes. Every member throws CheckpointError if the file does not fit
/// the run.
class Resumption {
public:
    explicit Resumption(const std::string& path)
        : reader_{path}, run_{engine::saved_run(reader_)} {}

    const std::string& path() const { return reader_.path(); }
    /// The first cycle to run.
    std::uint64_t cycle() const { return run_.cycle; }
    std::uint64_t seed() const { return run_.seed; }
    std::uint64_t checksum() const { return reader_.checksum(); }
    /// True if the saved run had this mark.
    bool is_marked(const std::string& mark) const { return reader_.find(mark) != nullptr; }
    [[noreturn]] void fail(const std::string& why) const { reader_.fail(why); }

    /// Restores the state before the first cycle, into an engine with the same seed. Returns the
    /// parts that start anew.
    std::vector<std::string> restore(engine::Engine& engine, const MoreState& more) const;

private:
    checkpoint::Reader reader_;
    engine::SavedRun run_;
};

/// Saves a run at regular intervals in one file, and locks out other runs that save in it.
class Checkpoints {
public:
    /// `every`: in cycles; 0: never. Throws CheckpointError if the file cannot be written. `note`
    /// receives the reason when a save fails and the run continues; may be null.
    Checkpoints(std::uint64_t every, std::string path, MoreState more,
                std::function<void(const std::string& text)> note);

    /// Marks the saved run, for `Resumption::is_marked`.
    void mark(std::string mark) { marks_.push_back(std::move(mark)); }
    /// The number of cycles that may run before the next call of `after`.
    std::uint64_t until_next(std::uint64_t cycle) const {
        return every_ == 0 ? ~std::uint64_t{0} : every_ - cycle % every_;
    }
    /// Saves the run if it is due or was interrupted. Call between cycles. A run continues after a
    /// failed save, because the next may succeed.
    void after(engine::Engine& engine);

    /// The cycle of the last checkpoint; 0 if there is no checkpoint.
    std::uint64_t saved() const { return saved_; }
    /// Why the last save failed; empty if it succeeded.
    const std::string& problem() const { return problem_; }

private:
    std::uint64_t every_;
    std::string path_;
    MoreState more_;
    std::vector<std::string> marks_;
    std::function<void(const std::string&)> note_;
    std::optional<OutputFile> claim_; // keeps other runs from the file between checkpoints, too
    std::uint64_t saved_ = 0;
    std::string problem_;
};

} // namespace sme::session
