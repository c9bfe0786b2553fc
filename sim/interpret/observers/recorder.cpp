// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/recorder.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "bits/scalar_text.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/operands.hpp"
#include "sme/internal/archive.hpp"

namespace sme::interpret {

void RecordingFile::open() {
    if (!continues_ && writes_)
        begin();
}

void RecordingFile::begin() {
    file_.emplace(recording_->path);
    bytes_ = 0;
    digest_ = {};
    put(fmt::format("{}\n", fmt::join(recording_->columns, ",")));
    file_->keep_lines();
}

void RecordingFile::put(const std::string& text) {
    file_->write(text);
    bytes_ += text.size();
    digest_.add(text);
}

void RecordingFile::state(Archive& archive) {
    std::uint64_t digest = digest_.value();
    std::uint64_t bytes = bytes_;
    std::vector<std::string> columns = recording_->columns;
    archive(columns, rows_, bytes, digest);
    if (archive.saves()) {
        flush();
        return;
    }
    continues_ = true;
    if (columns != recording_->columns) {
        rows_ = 0;
        throw CheckpointError{fmt::format("'{}' has other columns", recording_->path)};
    }
    if (!writes_ || (rows_ == 0 && bytes == 0))
        return; // `start` begins the file
    const std::string& path = recording_->path;
    const std::string earlier = path + ".earlier"; // a killed run leaves FILE.part
    if (copy_earlier(earlier, bytes, digest))
        return;
    take_left_part(path, earlier); // while another run writes it, `file_` cannot be opened
    if (copy_earlier(earlier, bytes, digest) || copy_earlier(path, bytes, digest))
        return;
    throw CheckpointError{fmt::format(
        "what it wrote into '{}' is not there any more; the file begins with row {}", path, rows_)};
}

/// Copies the beginning of another file into the new one, if the digest matches the bytes written
/// earlier.
bool RecordingFile::copy_earlier(const std::string& path, std::uint64_t bytes,
                                 std::uint64_t digest) {
    std::error_code error;
    if (bytes == 0 || !std::filesystem::is_regular_file(path, error))
        return false; // a run that wrote nothing left no header
    Digest found;
    for (const bool copies : {false, true}) {
        std::ifstream file{path, std::ios::binary};
        std::string block(1 << 16, '\0');
        for (std::uint64_t left = bytes; left > 0;) {
            block.resize(std::min<std::uint64_t>(left, 1 << 16));
            if (!file.read(block.data(), static_cast<std::streamsize>(block.size())))
                return false;
            left -= block.size();
            if (copies)
                put(block);
            else
                found.add(block);
        }
        if (copies || found.value() != digest)
            break;
        file_.emplace(recording_->path);
        bytes_ = 0;
        digest_ = {};
    }
    if (file_)
        file_->keep_lines();
    return file_.has_value();
}

bool RecordingFile::add_row(const std::uint64_t* values, std::uint64_t cycle) {
    line_.clear();
    const std::uint64_t* next = values;
    for (const Type* type : recording_->types) {
        if (next != values)
            line_ += ',';
        line_ += data_text(*type, next);
        next += type->leaf_count();
    }
    line_ += '\n';
    if (!file_ && writes_)
        return true; // the run did not begin
    if (file_)
        put(line_);
    const std::uint64_t row = rows_++;
    if (recording_->has_expected && difference_.empty())
        compare(values, row, cycle);
    return difference_.empty();
}

void RecordingFile::compare(const std::uint64_t* values, std::uint64_t row, std::uint64_t cycle) {
    if (row >= recording_->expected.size()) {
        difference_cycle_ = cycle;
        difference_ = fmt::format("row {} (cycle {}) is one more than the {} expected", row, cycle,
                                  recording_->expected.size());
        return;
    }
    const std::uint64_t* wanted = recording_->expected[row].data();
    for (std::size_t k = 0; k < recording_->types.size(); ++k) {
        const Type& type = *recording_->types[k];
        if (!std::equal(values, values + type.leaf_count(), wanted)) {
            difference_cycle_ = cycle;
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
    if (!file_)
        return;
    if (file_->commit() && continues_)
        std::remove((recording_->path + ".earlier").c_str());
    const std::size_t wanted = recording_->expected.size();
    if (recording_->has_expected && difference_.empty() && !may_be_short && rows_ < wanted)
        difference_ = fmt::format("{} {} came, but {} {} expected", rows_,
                                  rows_ == 1 ? "row" : "rows", wanted, wanted == 1 ? "is" : "are");
}

namespace {

class Recorder : public ResultsGroup {
public:
    Recorder(std::shared_ptr<RecordingFile> file, const Build& build)
        : file_{std::move(file)}, places_{places_of(build)},
          evaluator_{file_->recording().program, file_->recording().program.parts[0], places_} {}

    const expr::Program& program() const override { return file_->recording().program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        if (file_->recording().reads_wire && !frame.wires_settled)
            return;
        FaultNote fault{frame.control};
        Frame own = frame;
        own.control = &fault;
        evaluator_.results(own, values_);
        if (fault.first)
            file_->fault(frame.cycle);
        if (fault.first || values_.back() == 0)
            return;
        if (!file_->add_row(values_.data(), frame.cycle))
            frame.control->fail();
        if (file_->is_complete())
            frame.control->halt();
    }

    std::vector<Guarded> guarded() const override {
        const auto results = program().parts[0].results.size();
        return {{static_cast<std::uint32_t>(results - 1)}};
    }
    std::uint64_t guard(std::uint64_t, Guard* guards) const override {
        *guards = {1, 0, 0, 0};
        return ~std::uint64_t{0};
    }
    void skip(std::uint64_t, std::uint64_t, const Guard*) override {}

    void state(Archive& archive) override { file_->state(archive); }

    RecordingFile& file() const { return *file_; }
    const RecordingFile* recording() const override { return file_.get(); }

private:
    std::shared_ptr<RecordingFile> file_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

/// Finishes its own file.
class OwnRecorder final : public Recorder {
public:
    using Recorder::Recorder;
    ~OwnRecorder() override { finish_file(); }
    OwnRecorder(const OwnRecorder&) = delete;
    OwnRecorder& operator=(const OwnRecorder&) = delete;
    void step(unsigned part, Range range, const Frame& frame) override {
        file().start(); // only now: the simulator may continue a saved run
        Recorder::step(part, range, frame);
    }
    void finish(Control&) override {
        file().start();
        finish_file();
    }

private:
    void finish_file() {
        if (!std::exchange(finished_, true))
            file().finish(true);
    }
    bool finished_ = false;
};

} // namespace

std::shared_ptr<const GroupFactory> recorder_factory(std::shared_ptr<RecordingFile> file) {
    return std::make_shared<const GroupFactory>([file = std::move(file)](const Build& build) {
        file->open();
        return std::make_unique<Recorder>(file, build);
    });
}

std::shared_ptr<const GroupFactory>
recorder_factory_of_each(std::shared_ptr<const expr::Recording> recording, bool writes) {
    return std::make_shared<const GroupFactory>(
        [recording = std::move(recording), writes](const Build& build) {
            auto file = std::make_shared<RecordingFile>(recording);
            if (!writes)
                file->write_nothing();
            return std::make_unique<OwnRecorder>(std::move(file), build);
        });
}

const RecordingFile* recording_of(Group& group) {
    const ResultsGroup* const results = abilities_of(&group).results;
    return results ? results->recording() : nullptr;
}

} // namespace sme::interpret
