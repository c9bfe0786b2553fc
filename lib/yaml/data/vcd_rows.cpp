// SPDX-License-Identifier: Apache-2.0
//
// Keeps the current words of a row. At each time in the file:
// 1. applies the changes
// 2. at an edge, appends the words from before the changes as a row
// 3. rereads the words of changed signals
// 4. or, at an edge, appends the words from after the changes as a row
#include "yaml/data/vcd_rows.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "vcd/reader.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

class Sampler {
public:
    Sampler(vcd::Reader& file, const VcdInput& input, const InputRow& row,
            const VcdSignals& signals, Diagnostics& diagnostics)
        : file_{file}, input_{input}, row_{row}, signals_{signals}, diagnostics_{diagnostics},
          words_(signals.words.size()),
          state_(signals.words.size()), made_{std::make_shared<InputRows>()} {
        made_->row_bytes = row.bus().type->size() * row.bus().count;
        made_->stream = row.stream();
        for (std::uint32_t k = 0; k < words_.size(); ++k) {
            words_of_[signals.words[k].signal].push_back(k);
            read(k);
        }
    }

    std::shared_ptr<InputRows> sample() {
        while (file_.more()) {
            time_ = file_.time();
            file_.take();
            if (file_.off())
                return fail(Code::data_shape, "it leaves out values from here on ($dumpoff)");
            const bool edge = sees_edge();
            if (edge && input_.sample == VcdInput::Sample::before && !add_row())
                return nullptr;
            for (const std::uint32_t signal : file_.changed())
                if (const auto found = words_of_.find(signal); found != words_of_.end())
                    for (const std::uint32_t word : found->second)
                        read(word);
            valid_ = !row_.stream() || is_one(*signals_.valid);
            ready_ = !row_.stream() || is_one(*signals_.ready);
            if (edge && input_.sample == VcdInput::Sample::after && !add_row())
                return nullptr;
        }
        return finish();
    }

private:
    enum class State : std::uint8_t { good, unknown, no_member };

    std::shared_ptr<InputRows> finish() {
        if (const auto& problem = file_.problem()) {
            diagnostics_.add(problem->code, problem->where, problem->message);
            return nullptr;
        }
        if (made_->rows == 0) {
            diagnostics_.add(
                Code::data_shape, input_.where,
                fmt::format("'{}' has no rows: {}", input_.path,
                            edges_ == 0 ? fmt::format("'{}' has no {} edge", signals_.clock_name,
                                                      rising() ? "rising" : "falling")
                            : row_.stream() ? "nothing was taken"
                                            : fmt::format("it ends before the first edge of '{}'",
                                                          input_.domain->name)));
            return nullptr;
        }
        add_row_behind();
        return std::move(made_);
    }

    /// Adds the final values of the file as the row after the last one.
    void add_row_behind() {
        const bool known = std::all_of(state_.begin(), state_.end(),
                                       [](State state) { return state == State::good; });
        if (row_.stream() || input_.sample == VcdInput::Sample::after || !known)
            return;
        row_.put(words_, made_->values);
        made_->row_behind = true;
    }

    bool rising() const { return input_.edge == VcdInput::Edge::rising; }
    bool is_one(std::uint32_t signal) const { return vcd::digit_at(file_.value(signal), 0) == '1'; }

    std::nullptr_t fail(Code code, const std::string& what) {
        const vcd::Femtoseconds tick = file_.declarations().tick.value_or(1'000'000);
        diagnostics_.add(
            code, input_.where,
            fmt::format("'{}', at {}: {}", input_.path,
                        vcd::time_text(static_cast<Integer>(time_) * tick, vcd::unit_of(tick)),
                        what));
        return nullptr;
    }

    /// Returns true if the clock has its edge now. If sampling after edges, a file whose clock
    /// starts at the active level begins with an edge.
    bool sees_edge() {
        const char now = vcd::digit_at(file_.value(signals_.clock), 0);
        const char wanted = rising() ? '1' : '0', other = rising() ? '0' : '1';
        const bool begins = clock_ == 'x' && input_.sample == VcdInput::Sample::after;
        const bool edge =
            (now == wanted && (clock_ == other || begins)) || (begins && signals_.of_domain);
        clock_ = now;
        if (!edge)
            return false;
        const std::uint64_t number = edges_++;
        if (input_.sample == VcdInput::Sample::before)
            return signals_.counted.rises_after(number);
        return number == 0 || signals_.counted.rises_after(number - 1);
    }

    void read(std::uint32_t number) {
        const VcdWord& word = signals_.words[number];
        const vcd::Value value = file_.value(word.signal);
        std::uint64_t bits = 0;
        state_[number] = State::good;
        for (unsigned k = 0; k < word.width; ++k) {
            const char digit = vcd::digit_at(value, word.bit + k);
            bits |= std::uint64_t{digit == '1'} << k;
            if ((digit == 'x' || digit == 'z') && input_.unknown == VcdInput::Unknown::error)
                state_[number] = State::unknown;
        }
        const bool is_signed = word.scalar->extends_sign();
        words_[number] = canonical(bits, word.width, is_signed);
        if (word.scalar->kind() == TypeKind::enumeration && state_[number] == State::good &&
            !word.scalar->find_member(words_[number]))
            state_[number] = State::no_member;
    }

    bool add_row() {
        constexpr std::size_t max_bytes = std::size_t{1} << 28;
        if (!valid_ || !ready_)
            return true;
        for (std::size_t k = 0; k < words_.size(); ++k)
            if (state_[k] != State::good)
                return complain(k);
        if (made_->values.size() + made_->row_bytes > max_bytes) {
            fail(Code::too_large, "the rows up to here take more than 256 MiB");
            return false;
        }
        row_.put(words_, made_->values);
        ++made_->rows;
        return true;
    }

    bool complain(std::size_t number) {
        const VcdWord& word = signals_.words[number];
        if (state_[number] == State::unknown)
            fail(Code::data_range,
                 fmt::format("'{}' is not known for row {}; 'unknown: zero' takes x and z as 0",
                             word.name, made_->rows));
        else
            fail(Code::data_range,
                 fmt::format("'{}' is {} for row {}, which is no member of {}", word.name,
                             words_[number], made_->rows, word.scalar->name()));
        return false;
    }

    vcd::Reader& file_;
    const VcdInput& input_;
    const InputRow& row_;
    const VcdSignals& signals_;
    Diagnostics& diagnostics_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> words_of_; // by signal
    std::vector<std::uint64_t> words_;
    std::vector<State> state_;
    std::shared_ptr<InputRows> made_;
    std::uint64_t time_ = 0;
    std::uint64_t edges_ = 0;
    char clock_ = 'x';
    bool valid_ = true; // for a stream: it transfers a value
    bool ready_ = true;
};

} // namespace

std::shared_ptr<InputRows> rows_of_vcd(const VcdInput& input, const InputRow& row,
                                       Diagnostics& diagnostics) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(input.path, error)) { // reading a pipe would block
        diagnostics.add(Code::file_unreadable, input.where,
                        fmt::format("cannot read '{}': {}", input.path,
                                    error ? error.message() : "it is not a regular file"));
        return nullptr;
    }
    if (!is_changes_file(input.path.c_str())) {
        diagnostics.add(Code::vcd_syntax, input.where,
                        fmt::format("'{}' is no VCD file: it does not begin with a declaration "
                                    "($...); and no FST file",
                                    input.path));
        return nullptr;
    }
    vcd::Reader file{input.path};
    if (const auto& problem = file.problem()) {
        diagnostics.add(problem->code, problem->where.known() ? problem->where : input.where,
                        problem->message);
        return nullptr;
    }
    const auto signals = find_signals(file.declarations(), input, row, diagnostics);
    auto rows = signals ? Sampler{file, input, row, *signals, diagnostics}.sample() : nullptr;
    if (rows && !input.clock && !signals->clock_marked)
        rows->clock_taken = signals->clock_name;
    for (const Diagnostic& warning : file.warnings())
        diagnostics.add(warning.code, warning.where, warning.message);
    return rows;
}

} // namespace sme::yaml
