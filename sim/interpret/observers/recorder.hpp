// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme {
class Archive;
}

namespace sme::interpret {

/// The file of one recording while a run goes on, and what came of it.
class RecordingFile {
public:
    explicit RecordingFile(std::shared_ptr<const expr::Recording> recording)
        : recording_{std::move(recording)} {}

    /// The run is to go on where another one was saved: nothing that it left is touched until
    /// `state` or `start` is called. Before `open`.
    void continue_earlier() { continues_ = true; }
    /// Of a run that goes on: begins the file unless `state` did, or it is not to be written.
    void start() {
        if (!file_ && writes_)
            begin();
    }
    /// Rows are compared with what is expected, but no file is written. Before `open`.
    void write_nothing() { writes_ = false; }
    /// Opens the file and writes its header; before the first row.
    void open();
    /// Of a checkpoint: how many rows there are, and the bytes of the file so far. When they are
    /// loaded, they are looked for in what the earlier run left, finished or not. Throws
    /// CheckpointError when they are not there; the file begins anew then. Before `open` or
    /// `start`.
    void state(Archive& archive);
    /// Appends a row. Returns whether it is the expected one (or nothing is expected).
    bool is_complete() const {
        return recording_->halt_after != 0 && rows_ >= recording_->halt_after;
    }
    bool add_row(const std::uint64_t* values, std::uint64_t cycle);
    /// Finishes the file. `may_be_short`: a run that was cut short need not have all rows.
    void finish(bool may_be_short);
    /// Flushes the rows to the file, for readers during the run. Call it between cycles.
    void flush() {
        if (file_)
            file_->flush();
    }
    /// The run will not be finished: the rows stay in a `.part` file, which is the problem.
    void abandon() {
        if (file_)
            file_->abandon();
    }

    const expr::Recording& recording() const { return *recording_; }
    std::uint64_t rows() const { return rows_; }
    /// The first difference from what is expected; empty when there is none.
    const std::string& difference() const { return difference_; }
    /// The cycle of the row that differs; none when rows are missing.
    std::optional<std::uint64_t> difference_cycle() const { return difference_cycle_; }
    /// Why the file could not be written; empty when it was.
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
    std::uint64_t bytes_ = 0; // of the file
    Digest digest_;           // of them
    std::string difference_;
    std::optional<std::uint64_t> difference_cycle_;
};

/// The observer that records rows: of every cycle in which the condition holds, the one after the
/// last included. A row that differs from the expected one ends the run.
std::shared_ptr<const GroupFactory> recorder_factory(std::shared_ptr<RecordingFile> file);

/// The same with a file for each group (`recording_of`), which begins it in the first cycle and
/// finishes it: after the run, and when it ends without one. Without `writes`, rows are compared,
/// but not written.
std::shared_ptr<const GroupFactory>
recorder_factory_of_each(std::shared_ptr<const expr::Recording> recording, bool writes);

/// Of a group that was built by such a kind; null for any other.
const RecordingFile* recording_of(const Group& group);

} // namespace sme::interpret
