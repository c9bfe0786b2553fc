// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/files.hpp"
#include "expr/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The file of one recording while a run goes on, and what came of it.
class RecordingFile {
public:
    explicit RecordingFile(std::shared_ptr<const expr::Recording> recording)
        : recording_{std::move(recording)} {}

    /// Opens the file and writes its header; before the first row.
    void open();
    /// Appends a row. Returns whether it is the expected one (or nothing is expected).
    bool add_row(const std::uint64_t* values, std::uint64_t cycle);
    /// Finishes the file. `may_be_short`: a run that was cut short need not have all rows.
    void finish(bool may_be_short);
    /// Hands the rows to the system, for whoever reads them meanwhile. Between cycles.
    void flush() { file_->flush(); }
    /// The run will not be finished: the rows stay in a `.part` file, which is the problem.
    void abandon() { file_->abandon(); }

    const expr::Recording& recording() const { return *recording_; }
    std::uint64_t rows() const { return rows_; }
    /// The first difference from what is expected; empty when there is none.
    const std::string& difference() const { return difference_; }
    /// Why the file could not be written; empty when it was.
    std::string problem() const { return file_ ? file_->problem() : std::string{}; }

private:
    void compare(const std::uint64_t* values, std::uint64_t row, std::uint64_t cycle);

    std::shared_ptr<const expr::Recording> recording_;
    std::optional<OutputFile> file_;
    std::string line_;
    std::uint64_t rows_ = 0;
    std::string difference_;
};

/// The observer that records rows: of every cycle in which the condition holds, the one after the
/// last included. A row that differs from the expected one ends the run.
std::shared_ptr<const Kind> recorder_kind(std::shared_ptr<RecordingFile> file);

} // namespace sme::interpret
