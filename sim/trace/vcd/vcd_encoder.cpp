// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/vcd_encoder.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "trace/format.hpp"
#include "trace/names/declarations.hpp"
#include "trace/names/names.hpp"

namespace sme::trace {

namespace {

char* put_text(char* at, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
}

char* put_time(char* at, std::uint64_t ticks) {
    *at++ = '#';
    const fmt::format_int digits{ticks};
    at = put_text(at, {digits.data(), digits.size()});
    *at++ = '\n';
    return at;
}

} // namespace

std::size_t VcdEncoder::begin(OutputFile& file, const Observed& observed, const Traced& traced,
                              ChangeFinder& finder) {
    file_ = &file;
    file.write(fmt::format("$version sme $end\n$timescale {} $end\n", timescale_.tick));
    VcdDeclarations declarations{file};
    const std::uint32_t signals = declare(observed, traced, declarations, finder);
    file.write("$enddefinitions $end\n");
    tails_.resize(signals);
    for (std::uint32_t signal = 0; signal < signals; ++signal) {
        const std::string text = " " + identifier(signal) + "\n";
        std::memcpy(tails_[signal].text, text.data(), text.size());
        tails_[signal].text[7] = static_cast<char>(text.size());
    }
    return signals - 1; // excludes the clock
}

void VcdEncoder::encode(std::span<const Record> records) {
    if (!file_->good())
        return;
    char* at = buffer_.get();
    const char* const last = at + (buffer_bytes - max_bytes);
    for (const Record& record : records) {
        if (at > last) {
            write(at);
            at = buffer_.get();
        }
        if (record.format & Record::cycle_begins)
            at = begin_cycle(at, record.value);
        else if (wide_ != Wide::no || (record.format & Record::more))
            at = put_word(at, record);
        else
            at = put_value(at, record);
    }
    write(at);
}

void VcdEncoder::finish(std::uint64_t cycles) {
    char* at = buffer_.get();
    if (state_ == State::nothing || cycle_ != cycles) {
        at = end_cycle(at);
        at = put_time(at, cycles * period_ticks_);
    } else if (state_ == State::first_cycle)
        at = put_text(at, "$end\n");
    write(at);
}

char* VcdEncoder::begin_cycle(char* at, std::uint64_t cycle) {
    at = end_cycle(at);
    at = put_time(at, cycle * period_ticks_);
    if (state_ == State::nothing)
        at = put_text(at, "$dumpvars\n");
    state_ = state_ == State::nothing ? State::first_cycle : State::later_cycles;
    cycle_ = cycle;
    return put_clock(at, '1');
}

char* VcdEncoder::end_cycle(char* at) const {
    if (state_ == State::nothing)
        return at;
    if (state_ == State::first_cycle)
        at = put_text(at, "$end\n");
    at = put_time(at, cycle_ * period_ticks_ + half_ticks_);
    return put_clock(at, '0');
}

char* VcdEncoder::put_clock(char* at, char value) const {
    *at++ = value;
    return put_tail(at, 0, 1);
}

/// Writes a vector without leading zeros: readers extend it with zeros (clause 18.2.1).
inline char* VcdEncoder::put_value(char* at, const Record& record) const {
    const unsigned width_bits = record.format & 0xff;
    const bool known = (record.format & Record::unknown) == 0;
    if (width_bits == 1) {
        *at++ = !known ? 'x' : record.value & 1 ? '1' : '0';
        return put_tail(at, record.signal, 1);
    }
    *at++ = 'b';
    if (!known) {
        *at++ = 'x';
        return put_tail(at, record.signal, 0);
    }
    const std::uint64_t value = record.value & (~std::uint64_t{0} >> (64 - width_bits));
    const auto digits = static_cast<unsigned>(std::bit_width(value | 1));
    std::uint64_t rest = value << (64 - digits); // the highest bit is its first digit
    for (unsigned k = 0; k < digits; k += 8, rest <<= 8)
        std::memcpy(at + k, byte_digits[rest >> 56].data(), 8);
    return put_tail(at + digits, record.signal, 0);
}

/// Writes a word of a value of several words: its leading zeros count only after another digit.
char* VcdEncoder::put_word(char* at, const Record& record) {
    const unsigned width_bits = record.format & 0xff;
    const bool last = (record.format & Record::more) == 0;
    if (wide_ == Wide::no) {
        *at++ = 'b';
        wide_ = Wide::zeros;
    }
    const std::uint64_t value = record.value & (~std::uint64_t{0} >> (64 - width_bits));
    const unsigned digits = wide_ == Wide::digits ? width_bits
                            : last                ? static_cast<unsigned>(std::bit_width(value | 1))
                                                  : static_cast<unsigned>(std::bit_width(value));
    for (unsigned k = digits; k-- > 0;)
        *at++ = value >> k & 1 ? '1' : '0';
    if (digits > 0)
        wide_ = Wide::digits;
    if (!last)
        return at;
    wide_ = Wide::no;
    return put_tail(at, record.signal, 0);
}

inline char* VcdEncoder::put_tail(char* at, std::uint32_t signal, std::size_t from) const {
    const Tail tail = tails_[signal]; // a copy, which the stores below cannot change
    std::memcpy(at, tail.text + from, sizeof tail.text - from); // one store when from is 0
    return at + (static_cast<std::size_t>(tail.text[7]) - from);
}

namespace {

constexpr std::array<std::string_view, 8> vcd_begins{"$date",      "$version",       "$timescale",
                                                     "$comment",   "$scope",         "$var",
                                                     "$attrbegin", "$enddefinitions"};

std::unique_ptr<Encoder> make_vcd(const ClockPeriod& period, std::string& problem) {
    Timescale timescale = Timescale::of(period);
    problem = timescale.problem;
    return problem.empty() ? std::make_unique<VcdEncoder>(std::move(timescale)) : nullptr;
}

} // namespace

extern const Format vcd_format;
const Format vcd_format{".vcd", "a VCD file", "every change, for waveform viewers", vcd_begins,
                        make_vcd};

} // namespace sme::trace
