// SPDX-License-Identifier: Apache-2.0
#include "interpret/recorder.hpp"

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "interpret/places.hpp"

namespace sme::interpret {

void RecordingFile::open() {
    file_.emplace(recording_->path);
    file_->write(fmt::format("{}\n", fmt::join(recording_->columns, ",")));
}

std::string RecordingFile::text_of(std::uint64_t value, std::size_t column) const {
    return recording_->types[column].is_signed ? fmt::format("{}", static_cast<std::int64_t>(value))
                                               : fmt::format("{}", value);
}

bool RecordingFile::add_row(const std::uint64_t* values, std::uint64_t cycle) {
    line_.clear();
    for (std::size_t k = 0; k < recording_->types.size(); ++k) {
        if (k > 0)
            line_ += ',';
        line_ += text_of(values[k], k);
    }
    line_ += '\n';
    file_->write(line_);
    const std::uint64_t row = rows_++;
    if (!recording_->has_expected || !difference_.empty())
        return true;
    if (row >= recording_->expected.size()) {
        difference_ = fmt::format("row {} (cycle {}) is one more than the {} expected", row, cycle,
                                  recording_->expected.size());
        return false;
    }
    for (std::size_t k = 0; k < recording_->types.size(); ++k)
        if (recording_->expected[row][k] != values[k]) {
            difference_ = fmt::format("row {} (cycle {}): '{}' is {}, but {} is expected", row,
                                      cycle, recording_->columns[k], text_of(values[k], k),
                                      text_of(recording_->expected[row][k], k));
            return false;
        }
    return true;
}

void RecordingFile::finish(bool may_be_short) {
    file_->commit();
    if (recording_->has_expected && difference_.empty() && !may_be_short &&
        rows_ < recording_->expected.size())
        difference_ =
            fmt::format("{} rows came, but {} are expected", rows_, recording_->expected.size());
}

namespace {

class Recorder final : public Group {
public:
    Recorder(std::shared_ptr<RecordingFile> file, const Build& build)
        : file_{std::move(file)}, places_{places_of(build)},
          evaluator_{file_->recording().program, file_->recording().program.parts[0], places_} {}

    void step(unsigned, Range, const Frame& frame) override {
        if (file_->recording().reads_wire && !frame.wires_settled)
            return;
        evaluator_.results(frame, values_);
        if (values_.back() != 0 && !file_->add_row(values_.data(), frame.cycle))
            frame.control->fail();
    }

private:
    std::shared_ptr<RecordingFile> file_;
    Places places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

class RecorderKind final : public Kind {
public:
    explicit RecorderKind(std::shared_ptr<RecordingFile> file) : file_{std::move(file)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        file_->open();
        return std::make_unique<Recorder>(file_, build);
    }

private:
    std::shared_ptr<RecordingFile> file_;
};

} // namespace

std::shared_ptr<const Kind> recorder_kind(std::shared_ptr<RecordingFile> file) {
    return std::make_shared<RecorderKind>(std::move(file));
}

} // namespace sme::interpret
