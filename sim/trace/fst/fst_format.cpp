// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fst/writer.hpp"
#include "trace/format.hpp"
#include "trace/names/declarations.hpp"
#include "trace/names/names.hpp"
#include "trace/names/vcd_time.hpp"
#include "trace/vcd/vcd_encoder.hpp"

namespace sme::trace {

/// The declarations of an FST file: like a VCD file, but with struct scopes, type names and the
/// members of enumerations. Signal k has the FST number k + 1.
class FstDeclarations final : public Declarations {
public:
    explicit FstDeclarations(fst::Writer& writer) : writer_{writer} {}

    /// The widths of the signals declared.
    const std::vector<std::uint32_t>& widths() const { return widths_; }

private:
    void write_scope(const std::string& name, ScopeKind kind) override;
    void write_scope_end() override;
    void write_comment(const std::string& text) override;
    void write_variable(std::uint32_t signal, std::string_view name, const Type& type) override;
    void write_clock(std::string_view name) override;

    std::uint32_t enumeration_of(const Type& type);

    fst::Writer& writer_;
    std::vector<std::uint32_t> widths_;
    std::unordered_map<std::string, std::uint32_t> enumerations_; // by full description
    std::string reference_;
};

/// Writes records as an FST file. The clock is the first signal: it rises at the start of a cycle
/// and falls half a period later.
///
/// The file consists of sections, each compressed separately. A section ends when it reaches its
/// size limit or after half a minute, so that a killed run loses little.
class FstEncoder final : public Encoder {
public:
    explicit FstEncoder(Timescale timescale) : timescale_{std::move(timescale)} {}

    std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                      ChangeFinder& finder) override;
    void encode(std::span<const Record> records) override;
    void finish(std::uint64_t cycles) override;
    void abandon() override;
    std::uint64_t last_cycle() const override { return timescale_.last_cycle(); }

private:
    using Time = std::chrono::steady_clock::time_point;

    void begin_cycle(std::uint64_t cycle);
    void end_cycle();
    void put(const Record& record);
    void put_word(const Record& record);
    void end_section_when_due();
    void report();

    Timescale timescale_;
    OutputFile* file_ = nullptr;
    std::optional<fst::Writer> writer_;
    std::vector<std::uint32_t> widths_; // by signal
    std::uint64_t all_bits_ = 0;
    std::vector<char> digits_; // of one value
    std::size_t word_at_ = 0;  // position of the next word of a value
    std::uint64_t cycle_ = 0;
    bool begun_ = false;
    std::uint64_t section_bytes_ = 0;
    std::uint64_t section_cycles_ = 0;
    Time section_begin_;
};

namespace {

std::string digits_of(std::uint64_t value, std::uint64_t width_bits) {
    std::string digits;
    for (std::uint64_t bit = width_bits; bit-- > 0;)
        digits += value >> bit & 1 ? '1' : '0';
    return digits;
}

} // namespace

void FstDeclarations::write_scope(const std::string& name, ScopeKind kind) {
    writer_.open_scope(name, kind == ScopeKind::structure);
}

void FstDeclarations::write_scope_end() {
    writer_.close_scope();
}

void FstDeclarations::write_comment(const std::string& text) {
    writer_.comment(text);
}

void FstDeclarations::write_variable(std::uint32_t, std::string_view name, const Type& type) {
    reference_.clear();
    append_reference(reference_, name, type.width_bits());
    const auto width_bits = static_cast<std::uint32_t>(type.width_bits());
    const std::uint32_t enumeration = enumeration_of(type);
    writer_.signal(reference_, width_bits, type.name(), enumeration);
    widths_.push_back(width_bits);
}

void FstDeclarations::write_clock(std::string_view name) {
    writer_.alias(std::string{name}, 1, 1);
}

std::uint32_t FstDeclarations::enumeration_of(const Type& type) {
    if (type.kind() != TypeKind::enumeration)
        return 0;
    const auto [known, is_new] = enumerations_.emplace(type.written_out(), 0);
    if (is_new) {
        std::vector<fst::NamedValue> values;
        for (const Member& member : type.members())
            values.push_back({member.name, digits_of(member.value, type.width_bits())});
        known->second = writer_.enumeration(sanitised(type.name()), values);
    }
    return known->second;
}

namespace {

// Before compression, a change takes as many bytes as it has digits, and about this many more. A
// section should fit into a cache, but be much larger than its fixed cost: all values at its start.
constexpr std::uint64_t change_bytes = 6;
constexpr std::uint64_t least_section_bytes = std::uint64_t{1} << 25;
constexpr std::uint64_t values_a_section = 16;
constexpr std::chrono::seconds longest_section{30};

/// Writes the digits of a word of `width_bits` bits; also overwrites up to seven bytes before them.
void put_digits(char* at, std::uint64_t value, unsigned width_bits) {
    std::uint64_t rest = value << (64 - width_bits); // the highest bit is its first digit
    for (unsigned k = 0; k < width_bits; k += 8, rest <<= 8)
        std::memcpy(at + k, byte_digits[rest >> 56].data(), 8);
}

} // namespace

std::size_t FstEncoder::begin(OutputFile& file, const Observed& observed, const Traced& traced,
                              ChangeFinder& finder) {
    file_ = &file;
    if (file.in_place())
        file.refuse(fmt::format("cannot write '{}': an FST file is written from both ends, which "
                                "only a regular file allows",
                                file.path()));
    if (!file.good())
        return 0;
    writer_.emplace(file.descriptor(), file.under_way());
    writer_->tick(timescale_.tick);
    FstDeclarations declarations{*writer_};
    const std::uint32_t signals = declare(observed, traced, declarations, finder);
    widths_ = declarations.widths();
    for (const std::uint32_t width : widths_)
        all_bits_ += width;
    digits_.resize(*std::max_element(widths_.begin(), widths_.end()) + 8);
    section_begin_ = std::chrono::steady_clock::now();
    report();
    return signals - 1; // excludes the clock
}

void FstEncoder::encode(std::span<const Record> records) {
    if (!file_->good())
        return;
    writer_->write([&] {
        for (const Record& record : records)
            if (record.format & Record::cycle_begins)
                begin_cycle(record.value);
            else if (word_at_ != 0 || (record.format & Record::more))
                put_word(record);
            else
                put(record);
    });
    report();
}

void FstEncoder::finish(std::uint64_t cycles) {
    if (!file_->good())
        return;
    writer_->write([&] {
        if (!begun_ || cycle_ == cycles)
            return; // for a file without a cycle, the writer adds a time itself
        end_cycle();
        writer_->time(cycles * timescale_.period_ticks);
    });
    writer_->finish();
    report();
}

void FstEncoder::abandon() {
    if (!file_->good())
        return;
    writer_->finish();
    file_->keep_all();
    report();
}

/// Reports an error. On a full disk, the file is readable up to its last section, with its names.
void FstEncoder::report() {
    const fst::Writer::Problem& problem = writer_->problem();
    if (problem.error != 0) {
        file_->fail_to_write(problem.error, writer_->has_section());
        if (writer_->has_section())
            writer_->keep_names();
    } else if (!problem.limit.empty())
        file_->refuse(fmt::format("cannot write '{}': {}", file_->path(), problem.limit));
}

void FstEncoder::begin_cycle(std::uint64_t cycle) {
    end_cycle();
    end_section_when_due();
    writer_->time(cycle * timescale_.period_ticks);
    writer_->value(1, "1");
    begun_ = true;
    cycle_ = cycle;
    ++section_cycles_;
}

void FstEncoder::end_cycle() {
    if (!begun_)
        return;
    writer_->time(cycle_ * timescale_.period_ticks + timescale_.half_ticks());
    writer_->value(1, "0");
    section_bytes_ += 2 * (1 + change_bytes);
}

void FstEncoder::end_section_when_due() {
    constexpr std::uint64_t look_at_clock = 0xff; // a mask of cycles
    if (section_cycles_ < 2)
        return;
    const bool large =
        section_bytes_ >= std::max(least_section_bytes, values_a_section * all_bits_);
    if (!large && ((section_cycles_ & look_at_clock) != 0 ||
                   std::chrono::steady_clock::now() - section_begin_ < longest_section))
        return;
    writer_->end_section();
    section_bytes_ = section_cycles_ = 0;
    section_begin_ = std::chrono::steady_clock::now();
}

void FstEncoder::put(const Record& record) {
    const std::uint32_t width = widths_[record.signal];
    if (record.format & Record::unknown)
        std::memset(digits_.data(), 'x', width);
    else
        put_digits(digits_.data(), record.value, width);
    writer_->value(record.signal + 1, digits_.data());
    section_bytes_ += width + change_bytes;
}

/// Takes a word of a value of several words, the highest first.
void FstEncoder::put_word(const Record& record) {
    const unsigned width_bits = record.format & 0xff;
    put_digits(digits_.data() + word_at_, record.value, width_bits);
    word_at_ += width_bits;
    if (record.format & Record::more)
        return;
    word_at_ = 0;
    writer_->value(record.signal + 1, digits_.data());
    section_bytes_ += widths_[record.signal] + change_bytes;
}

namespace {

using namespace std::string_view_literals;

constexpr std::array fst_begins{"\0\0\0\0\0\0\0\1\x49"sv}; // the length of the first block, 329

std::unique_ptr<Encoder> make_fst(const ClockPeriod& period, std::string& problem) {
#ifdef SME_WITHOUT_FST
    static_cast<void>(period);
    problem = "this sme was built without a library that writes FST files; install Verilator (and "
              "liblz4-dev for 5.048 and newer) or libfst, build it again, or write a VCD file";
    return nullptr;
#else
    Timescale timescale = Timescale::of(period);
    problem = timescale.problem;
    return problem.empty() ? std::make_unique<FstEncoder>(std::move(timescale)) : nullptr;
#endif
}

} // namespace

extern const Format fst_format;
const Format fst_format{".fst", "an FST file", "the same in a fraction of the size, for long runs",
                        fst_begins, make_fst};

} // namespace sme::trace
