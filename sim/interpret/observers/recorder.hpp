// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "expr/process/observe.hpp"
#include "interpret/block/evaluator.hpp"
#include "runtime/abilities.hpp"
#include "sme/internal/group.hpp"

namespace sme::interpret {

struct Verdicts;
class RecordingFile;

/// A summary of one bool result over a range of cycles: whether it must equal `wanted` in each of
/// them, in how many it was true, and after which cycle it was last true.
struct Guard {
    std::uint64_t active = 0;
    std::uint64_t wanted = 0;
    std::uint64_t held = 0; // if counted
    std::uint64_t last = 0; // if dated; 0: never true
};

/// An observer that evaluates the results of a program in each cycle: checks, a recording.
class ResultsGroup : public Group {
public:
    void add_abilities(Abilities& abilities) override { abilities.results = this; }
    /// The results of its checks, and its recorded file; null if absent.
    virtual const Verdicts* verdicts() const { return nullptr; }
    virtual const RecordingFile* recording() const { return nullptr; }

    virtual const expr::Program& program() const = 0;
    virtual const SlotMap& places() const = 0;
    /// The evaluator of the program's only part.
    virtual Evaluator& evaluator() = 0;

    /// The results that determine whether a cycle needs `step`, with one guard each.
    struct Guarded {
        std::uint32_t result;
        bool counted = false;
        bool dated = false;
    };
    virtual std::vector<Guarded> guarded() const = 0;
    /// For how many cycles from this one on the observer only counts and remembers, while every
    /// active guard sees the wanted value; 0: this cycle needs `step`.
    virtual std::uint64_t guard(std::uint64_t cycle, Guard* guards) const = 0;
    /// Records `cycles` such cycles, which `guards` summarise.
    virtual void skip(std::uint64_t cycle, std::uint64_t cycles, const Guard* guards) = 0;
};

} // namespace sme::interpret

namespace sme {
class Archive;
}

namespace sme::interpret {

/// The file of one recording during a run, and its result.
class RecordingFile {
public:
    explicit RecordingFile(std::shared_ptr<const expr::Recording> recording)
        : recording_{std::move(recording)} {}

    /// The run may continue a saved one: leaves its files untouched until `state` or `start` is
    /// called. Call it before `open`.
    void continue_earlier() { continues_ = true; }
    /// Call it when a continued run starts: begins the file, unless `state` did or it is not to be
    /// written.
    void start() {
        if (!file_ && writes_)
            begin();
    }
    /// Only compares rows with the expected ones, without writing a file. Call it before `open`.
    void write_nothing() { writes_ = false; }
    /// Opens the file and writes its header. Call it before the first row.
    void open();
    /// Saves or restores the number of rows and the bytes of the file so far. On restoring, looks
    /// for these bytes in the files of the earlier run, finished or not. If they are missing, the
    /// file begins anew and the function throws CheckpointError. Call it before `open` or `start`.
    void state(Archive& archive);
    bool is_complete() const {
        return recording_->halt_after != 0 && rows_ >= recording_->halt_after;
    }
    /// Appends a row. True if it is the expected one, or if nothing is expected.
    bool add_row(const std::uint64_t* values, std::uint64_t cycle);
    /// Notes that the evaluation of a row faulted.
    void fault(std::uint64_t cycle) { faulted_ = faulted_.value_or(cycle); }
    std::optional<std::uint64_t> faulted() const { return faulted_; }
    /// Finishes the file. `may_be_short`: an interrupted run may have fewer rows than expected.
    void finish(bool may_be_short);
    /// Flushes the rows to the file, for readers during the run. Call it between cycles.
    void flush() {
        if (file_)
            file_->flush();
    }
    /// Abandons an unfinished run: the rows stay in a `.part` file, and `problem` reports this.
    void abandon() {
        if (file_)
            file_->abandon();
    }

    const expr::Recording& recording() const { return *recording_; }
    std::uint64_t rows() const { return rows_; }
    /// The first difference from the expected rows; empty if equal.
    const std::string& difference() const { return difference_; }
    /// The cycle of the differing row; `nullopt` if rows are missing.
    std::optional<std::uint64_t> difference_cycle() const { return difference_cycle_; }
    /// Why the file could not be written; empty if it was.
    std::string problem() const { return file_ ? file_->problem() : std::string{}; }

private:
    void begin();
    void put(const std::string& text);
    bool copy_earlier(const std::string& path, std::uint64_t bytes, std::uint64_t digest);
    void compare(const std::uint64_t* values, std::uint64_t row, std::uint64_t cycle);

    std::shared_ptr<const expr::Recording> recording_;
    std::optional<OutputFile> file_;
    bool continues_ = false;
    bool writes_ = true;
    std::string line_;
    std::uint64_t rows_ = 0;
    std::uint64_t bytes_ = 0; // in the file
    Digest digest_;           // of these bytes
    std::string difference_;
    std::optional<std::uint64_t> difference_cycle_;
    std::optional<std::uint64_t> faulted_;
};

/// The observer that records a row in every cycle in which the condition holds, including the one
/// after the last. A row that differs from the expected one ends the run.
std::shared_ptr<const GroupFactory> recorder_factory(std::shared_ptr<RecordingFile> file);

/// The same with one file per group (`recording_of`). The group begins the file in the first cycle
/// and finishes it after the run, or in its destructor. Without `writes`, rows are compared but not
/// written.
std::shared_ptr<const GroupFactory>
recorder_factory_of_each(std::shared_ptr<const expr::Recording> recording, bool writes);

/// The recording of a group of this kind; null for any other group.
const RecordingFile* recording_of(Group& group);

} // namespace sme::interpret
