// SPDX-License-Identifier: Apache-2.0
#include "interpret/recorder.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "bits/scalar_text.hpp"
#include "interpret/places.hpp"

namespace sme::interpret {

void RecordingFile::open() {
    file_.emplace(recording_->path);
    file_->write(fmt::format("{}\n", fmt::join(recording_->columns, ",")));
    file_->keep_lines();
}

bool RecordingFile::add_row(const std::uint64_t* values, std::uint64_t cycle) {
    line_.clear();
    const std::uint64_t* next = values;
    for (const Type* type : recording_->types) {
        if (next != values)
            line_ += ',';
        line_ += scalar_text(*type, next);
        next += type->leaf_count();
    }
    line_ += '\n';
    file_->write(line_);
    const std::uint64_t row = rows_++;
    if (recording_->has_expected && difference_.empty())
        compare(values, row, cycle);
    return difference_.empty();
}

void RecordingFile::compare(const std::uint64_t* values, std::uint64_t row, std::uint64_t cycle) {
    if (row >= recording_->expected.size()) {
        difference_ = fmt::format("row {} (cycle {}) is one more than the {} expected", row, cycle,
                                  recording_->expected.size());
        return;
    }
    const std::uint64_t* wanted = recording_->expected[row].data();
    for (std::size_t k = 0; k < recording_->types.size(); ++k) {
        const Type& type = *recording_->types[k];
        if (!std::equal(values, values + type.leaf_count(), wanted)) {
            difference_ = fmt::format("row {} (cycle {}): '{}' is {}, but {} is expected", row,
                                      cycle, recording_->columns[k], scalar_text(type, values),
                                      scalar_text(type, wanted));
            return;
        }
        values += type.leaf_count();
        wanted += type.leaf_count();
    }
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
